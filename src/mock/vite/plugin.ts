import '../../needs-node.ts';

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin, ViteDevServer } from 'vite';
import { ToolError } from '../../errors.ts';
import type { Mock, MockOptions } from '../mock.ts';
import { startMock } from '../start-mock.ts';
import { createTokens } from './dev-tokens.ts';
import { forward, isFromHere, isOwnPage } from './forward.ts';

export interface BankingMockOptions extends Omit<MockOptions, 'listen' | 'host' | 'address'> {
  /** Path of the dev server below which the API lies, for example `/api`. By default, the API has its own paths. */
  readonly base?: string;
  /**
   * Adds a token to requests without `Authorization`. Only pages of the dev server on this machine get one, and only the
   * mock sees it. False by default.
   */
  readonly token?: boolean;
}

/** Where the mock's page and control API are, on the mock and on the dev server. */
const PAGE = '/__mock';

/**
 * A Vite plugin that starts a mock with the dev server, sends requests for its paths to it, and shows its page at
 * `/__mock/`. It does nothing in a build, in `vite preview` and in vitest.
 */
export function bankingMock(options: BankingMockOptions = {}): Plugin {
  const { base = '', token = false, ...rest } = options;
  if (base !== '' && !/^(?:\/[\w.~-]+)+$/.test(base))
    throw new TypeError(`base must be a path like "/api", not ${JSON.stringify(base)}.`);
  let started: Promise<Answering> | undefined;
  return {
    name: 'banking-api-contract',
    apply: (_, { command, isPreview }) => command === 'serve' && !isPreview,
    configureServer(server) {
      const start = (): Promise<Answering> => (started ??= startBehind(server, base, token, rest));
      // a restart of the dev server opens the new one before it closes this one: both may want the same port
      server.httpServer?.once('listening', () => {
        start().catch((error: unknown) => server.config.logger.error(wordsOf(error)));
      });
      server.middlewares.use((request, response, next) => {
        start()
          .then(async (answer) => (await answer(request, response)) || next())
          .catch((error: unknown) => next(new Error(wordsOf(error))));
      });
    },
    async closeBundle() {
      const closing = started;
      started = undefined;
      await (await closing?.catch(() => undefined))?.mock.close();
    },
  };
}

/** Answers a request if it is for the mock; false if it is not. */
type Answering = ((request: IncomingMessage, response: ServerResponse) => Promise<boolean>) & { readonly mock: Mock };

async function startBehind(
  { config }: ViteDevServer,
  base: string,
  wantsToken: boolean,
  options: MockOptions,
): Promise<Answering> {
  const mock = await startMock(options);
  const { operations } = await mock.contract();
  const paths = operations.flatMap(({ path }) => path ?? []);
  const firsts = base === '' ? [...new Set(paths.map((path) => `/${path.split('/')[1]}`))] : [base];
  const odd = firsts.find((first) => first === '/' || first.includes('{'));
  if (odd !== undefined) {
    await mock.close();
    throw new ToolError('usage', `Every path of the dev server could be ${odd} of the API.`, {
      hint: "Set base, for example bankingMock({ base: '/api' }).",
    });
  }
  const issuing = operations.find(({ auth }) => auth === 'issues')?.path;
  const tokens = wantsToken ? createTokens(mock) : undefined;
  config.logger.info(`Mock of the API: ${firsts.join(', ')}; its page: ${PAGE}/ (itself at ${mock.url})`);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const { url = '/', headers } = request;
    if (isBelow(url, PAGE)) {
      if (isFromHere(request)) await forward(request, response, mock.url, url);
      else
        response.writeHead(403, { 'content-type': 'text/plain' }).end('The page of the mock is for its own machine.');
      return true;
    }
    // a navigation is for a page of the application, even if its path looks like one of the API
    if (headers['sec-fetch-mode'] === 'navigate' || !firsts.some((first) => isBelow(url, first))) return false;
    const path = url.slice(base.length);
    const needsToken = headers.authorization === undefined && path.split('?')[0] !== issuing && isOwnPage(request);
    await forward(request, response, mock.url, path, needsToken ? tokens : undefined);
    return true;
  };
  return Object.assign(answer, { mock });
}

function isBelow(url: string, prefix: string): boolean {
  return url.startsWith(prefix) && /^(?:[/?]|$)/.test(url.slice(prefix.length));
}

function wordsOf(error: unknown): string {
  const words = error instanceof ToolError ? error.describe() : String(error);
  return `The mock does not start: ${words}`;
}
