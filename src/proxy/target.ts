import { ToolError } from '../errors.ts';
import { loadContract } from '../spec/load.ts';
import type { ProxyOptions } from './options.ts';
import { type Places, placesOf } from './places.ts';

/** What the proxy stands in front of. */
export interface Target {
  /** `mock` once it is known to be one. */
  readonly kind: 'mock' | 'url';
  /** Started by the proxy, in this process. */
  readonly embedded: boolean;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly host: string;
  /** Where requests belong, by what is documented, recorded, and (of a mock) assumed. */
  readonly places: Places;
  /** Where requests belong on a mock; loaded when it is first asked for. */
  assumed(): Promise<Places>;
  /** From now on it is known to be a mock: what the mock assumes counts too. */
  becomeMock(): Promise<void>;
  close(): Promise<void>;
}

/** Throws `ToolError('config')` for a target that is no http(s) URL, and what loading the contract throws. */
export async function openTarget(options: ProxyOptions): Promise<Target> {
  const load = { ...(options.folder && { folder: options.folder }), overlays: options.overlays ?? [] };
  let assumed: Promise<Places> | undefined;
  const loadAssumed = (): Promise<Places> => {
    assumed ??= loadContract({ ...load, assumed: true }).then(placesOf);
    return assumed;
  };
  if (options.target === 'mock') {
    const { startMock } = await import('../mock/start-mock.ts');
    const mock = await startMock(load);
    const places = placesOf(await mock.contract());
    return {
      kind: 'mock',
      embedded: true,
      baseUrl: mock.url,
      host: new URL(mock.url).host,
      places,
      assumed: async () => places,
      becomeMock: async () => {},
      close: () => mock.close(),
    };
  }
  const url = URL.parse(options.target);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new ToolError('config', 'The target must be `mock` or an absolute http(s) URL.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new ToolError('config', 'The URL of the target must have no credentials, no query and no fragment.');
  }
  let kind: Target['kind'] = 'url';
  let places = placesOf(await loadContract(load));
  return {
    get kind() {
      return kind;
    },
    embedded: false,
    baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    host: url.host,
    get places() {
      return places;
    },
    assumed: loadAssumed,
    async becomeMock() {
      if (kind === 'mock') return;
      kind = 'mock';
      places = await loadAssumed();
    },
    close: async () => {},
  };
}
