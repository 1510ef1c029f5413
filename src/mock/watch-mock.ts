import { dirname, relative } from 'node:path';
import { ownFolder } from '../spec/folder.ts';
import type { Mock, MockOptions, MockStatus } from './mock.ts';
import { type Watcher, watchFiles } from './watch.ts';

export interface WatchMockOptions {
  /** What the mock was made of; see {@link filesOf}. */
  readonly files: readonly string[];
  /** Resolves to the mock as soon as it serves. A change that comes before is served after. */
  readonly mock: Promise<Mock>;
  /** Told one line per change that was served or could not be. */
  readonly tell: (line: string) => void;
  /** Told of the mock after each change that was served. */
  readonly onServed?: (mock: Mock) => void | Promise<void>;
  /** Where the shown paths start; the working directory. */
  readonly cwd: string;
}

/**
 * Serves what is saved: a change of any file that the mock was made of is read and, if it can be served, takes the place of what was;
 * tokens and state stay. What cannot be served is told and changes nothing. Begin before the mock starts, so that no change falls between.
 */
export function watchMock(options: WatchMockOptions): Promise<Watcher> {
  const { cwd, tell } = options;
  return watchFiles({
    paths: options.files,
    async onChange(changed) {
      const mock = await options.mock;
      const names = changed.map((path) => shown(path, cwd));
      const [first = '', ...more] = names;
      const what = more.length === 0 ? first : `${first} and ${more.length} more`;
      const status = await mock.reload();
      tell(lineOf(what, status));
      if (status.problem === null) await options.onServed?.(mock);
    },
  });
}

/** Files and folders that a mock is made of: those of its contract, and those that it was started with. */
export function filesOf(options: MockOptions): readonly string[] {
  const { folder = ownFolder, overlays = [], scenarios = [], profile, seedData } = options;
  const own = [folder.assumptions, folder.entities, folder.seed, folder.profiles, folder.scenarios];
  const files = overlays.map((overlay) => (typeof overlay === 'string' ? overlay : overlay.text ? null : overlay.file));
  // what is named stands in the folder
  const named = [...scenarios, profile].filter((one) => typeof one === 'string' && /\.(?:ya?ml|json)$/i.test(one));
  return [dirname(folder.spec), ...own, ...files, ...named, seedData].filter((one) => typeof one === 'string');
}

function lineOf(what: string, { problem }: MockStatus): string {
  if (!problem) return `Changed and served: ${what}`;
  return `Changed and not served: ${what}. What was good before still is. ${problem.description.replace(/\p{Cc}+/gu, ' ')}`;
}

function shown(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return (way.startsWith('..') ? path : way).replace(/\p{Cc}+/gu, ' ');
}
