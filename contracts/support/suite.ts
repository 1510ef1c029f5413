import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json, text } from 'node:stream/consumers';
import pactum from 'pactum';
import { inject, type TestContext, test } from 'vitest';
import {
  type AttemptView,
  type Begun,
  type CheckOptions,
  CONTROL,
  ownId,
  type Row,
  type SuiteInput,
} from '../../src/run/protocol.ts';

/** What the run tells its suite. */
export const suite: SuiteInput = inject('suite');

const rows = new Map(suite.rows.map((row) => [row.id, row]));
/** Ids of the rows for which a contract file has code of its own. */
const taken = new Set<string>();
/** Base URL of the check that runs. */
let base = '';

/**
 * Registers a check under its id. One that the engine lists needs no options; if the engine does not list it, because the contract has
 * not what it is about, it is left out.
 */
export function check(id: string, body: () => Promise<unknown>): void;
export function check(id: string, options: CheckOptions, body: () => Promise<unknown>): void;
export function check(id: string, given: CheckOptions | (() => Promise<unknown>), body?: () => Promise<unknown>): void {
  const run = typeof given === 'function' ? given : body;
  const about = typeof given === 'function' ? undefined : given;
  taken.add(id);
  test.skipIf(about === undefined && rows.get(id)?.skipped !== false)(
    id,
    { meta: { check: id, ...(about && { about }) } },
    async () => void (await run?.()),
  );
}

/** Rows of the engine that no contract file has code for, and that need none. */
export function remainingRows(): Row[] {
  return suite.rows.filter(({ id, isOfMock }) => !taken.has(id) && !isOfMock);
}

/** Gives a check its base URL, or skips it. */
export async function begin({ task, skip }: TestContext): Promise<void> {
  const titles = [task.name];
  for (let parent = task.suite; parent !== undefined; parent = parent.suite) titles.unshift(parent.name);
  task.meta.check ??= ownId(task.file.filepath, titles);
  const { check: id, about = {} } = task.meta;
  const begun = rows.get(id) ?? (await ask<Begun>(`${suite.wayOut}/${suite.key}`, { id, ...about }));
  if (begun.skipped) skip();
  base = `${suite.wayOut}/${begun.segment}`;
  pactum.request.setBaseUrl(base);
}

async function ask<T>(url: string, body: unknown): Promise<T> {
  // Pactum has loaded this client already; `fetch` would load another one.
  const [response] = (await once(request(url, { method: 'POST' }).end(JSON.stringify(body)), 'response')) as [
    IncomingMessage,
  ];
  if (response.statusCode !== 200) throw new Error(`the way out refused it: ${await text(response)}`);
  return (await json(response)) as T;
}

// Whoever runs the suite can end it, whatever it does.
await ask(`${suite.wayOut}/${suite.key}`, { pid: process.pid });

/** What left the process for this check so far, with retries and the renewal of tokens. Pactum sees the last answer of a call only. */
export function attempts(): Promise<readonly AttemptView[]> {
  return ask(`${base}${CONTROL}/attempts`, {});
}

/** Turns the tokens of the embedded mock. For checks of the kind `mock-only`. */
export const mock = {
  revokeTokens: (): Promise<unknown> => ask(`${base}${CONTROL}/mock`, { action: 'revoke' }),
  expireTokens: (): Promise<unknown> => ask(`${base}${CONTROL}/mock`, { action: 'expire' }),
  /** Answers 401 to the next so many requests. */
  refuseNext: (count = 1): Promise<unknown> => ask(`${base}${CONTROL}/mock`, { action: 'refuse', count }),
  /** How many tokens were asked for. */
  tokenRequests: (): Promise<number> => ask(`${base}${CONTROL}/mock`, { action: 'count' }),
} as const;
