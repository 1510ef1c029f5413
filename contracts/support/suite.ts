import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
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

export const suite: SuiteInput = inject('suite');

// Not imported: an import reads every member, WebSocket included, and so loads undici.
const { request } = process.getBuiltinModule('node:http');
const rows = new Map(suite.rows.map((row) => [row.id, row]));
const taken = new Set<string>();
let base = '';

/**
 * Registers a check under its id. A check from the engine's list needs no options. Without options, a check that the
 * engine does not list is skipped: the contract lacks its subject.
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

export function remainingRows(): Row[] {
  return suite.rows.filter(({ id, isOfMock }) => !taken.has(id) && !isOfMock);
}

/** Sets the base URL of a check, or skips it. Returns a function that ends the check. */
export async function begin({ task, skip }: TestContext): Promise<() => void> {
  const titles = [task.name];
  for (let parent = task.suite; parent !== undefined; parent = parent.suite) titles.unshift(parent.name);
  task.meta.check ??= ownId(task.file.filepath, titles);
  const { check: id, about = {} } = task.meta;
  const begun = rows.get(id) ?? (await ask<Begun>(`${suite.wayOut}/${suite.key}`, { id, ...about }));
  if (begun.skipped) skip();
  base = `${suite.wayOut}/${begun.segment}`;
  pactum.request.setBaseUrl(base);
  return () => {
    base = '';
  };
}

/** Throws outside of a check: its failure would not be the target's, and the way out could not report the request. */
export function requireCheck(): void {
  if (base === '')
    throw new Error('Only tests, beforeEach and afterEach can send requests; beforeAll and afterAll cannot.');
}

async function ask<T>(url: string, body: unknown): Promise<T> {
  // Pactum has already loaded this client; `fetch` would load another one.
  const [response] = (await once(request(url, { method: 'POST' }).end(JSON.stringify(body)), 'response')) as [
    IncomingMessage,
  ];
  if (response.statusCode !== 200) throw new Error(`the way out refused it: ${await text(response)}`);
  return (await json(response)) as T;
}

// The run can kill the worker by its id, even if a check hangs.
await ask(`${suite.wayOut}/${suite.key}`, { pid: process.pid });

/** All requests of this check, with retries and token renewals. Pactum sees only the last answer of a call. */
export function attempts(): Promise<readonly AttemptView[]> {
  return ask(`${base}${CONTROL}/attempts`, {});
}

/** Controls the tokens of the embedded mock. For checks of the kind `mock-only`. */
export const mock = {
  revokeTokens: (): Promise<unknown> => ask(`${base}${CONTROL}/mock`, { action: 'revoke' }),
  expireTokens: (): Promise<unknown> => ask(`${base}${CONTROL}/mock`, { action: 'expire' }),
  /** Answers 401 to the next `count` requests. */
  refuseNext: (count = 1): Promise<unknown> => ask(`${base}${CONTROL}/mock`, { action: 'refuse', count }),
  tokenRequests: (): Promise<number> => ask(`${base}${CONTROL}/mock`, { action: 'count' }),
} as const;
