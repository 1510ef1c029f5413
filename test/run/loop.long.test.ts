import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diff } from '../../src/diff/diff.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import type { Report } from '../../src/model/report.ts';
import { record } from '../../src/run/record.ts';
import { verify } from '../../src/run/verify.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  CARD,
  CREDENTIALS,
  PARAMETERS,
  type Sandbox,
  type SandboxOptions,
  type Seen,
  startSandbox,
} from './sandbox.ts';

const GET_CARD = '/wallet/api/customers/c-1/cards/k-4';
const LIST_CARDS = '/wallet/api/customers/c-1/clients/cl-2/cards';
const CARD_FEES = '/billing/api/customers/c-1/client/cl-2/card/fees/GBP';
const OLD_CARD_FEES = '/iam/api/customers/c-1/client/cl-2/card/fees/GBP';
const ACCOUNT_FEES = '/billing/api/customers/c-1/client/cl-2/account/fees/GBP';
const OLD_ACCOUNT_FEES = '/wallet/api/customers/c-1/client/cl-2/account/fees/GBP';

/** Findings that contradict the recording. */
const differing = ({ findings }: Report): string[] =>
  findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ rule, operationId, pointer }) => `${rule} ${operationId} ${pointer}`);

const folder = await temporaryFolder();

const base = {
  credentials: CREDENTIALS,
  parameters: PARAMETERS,
  limits: { backoff: 5, perSecond: 1000 },
  timeouts: { firstByte: 4, call: 8, dead: 10 },
};

async function recorded(name: string, target: string, credentials = CREDENTIALS): Promise<string> {
  const { recording } = await record({ target, ...base, credentials });
  const file = join(folder, `${name}.yaml`);
  await writeFile(file, recording?.text ?? '');
  return file;
}

interface Given {
  readonly type?: string;
  readonly status?: number;
  readonly text?: string;
  readonly body?: unknown;
}

/** A sandbox with these answers by path, of any type. */
function answering(given: Readonly<Record<string, Given>>): SandboxOptions {
  return {
    fault: ({ path, authorization }, response) => {
      const answer = given[path];
      if (answer === undefined || !authorization.startsWith('Bearer ey')) return false;
      const { type = 'application/json', status = 200, body, text = JSON.stringify(body) } = answer;
      response.writeHead(status, text === undefined ? {} : { 'content-type': type }).end(text);
      return true;
    },
  };
}

const card = { ...CARD, id: undefined, cardId: 'k-4', plan: 'gold' };
const hal = 'application/hal+json';

test.each<[string, Readonly<Record<string, Given>>]>([
  ['the documented shapes', {}],
  ['an envelope', { [LIST_CARDS]: { body: { items: [card, card], page: { total: 2, next: null } } } }],
  [
    'other JSON types',
    {
      [GET_CARD]: { type: hal, body: card },
      [CARD_FEES]: { type: hal, body: { x: 1 } },
      [OLD_CARD_FEES]: { type: hal, body: { x: 1 } },
    },
  ],
  [
    'text that is not JSON, and empty bodies',
    {
      [GET_CARD]: { type: 'text/csv', text: 'a,b' },
      [LIST_CARDS]: { type: 'application/xml', text: '<cards/>' },
      [ACCOUNT_FEES]: { status: 204 },
      [OLD_ACCOUNT_FEES]: { status: 204 },
    },
  ],
  [
    'fields that differ from the assumptions of the mock',
    { [GET_CARD]: { body: { ...card, status: 3, expires: { month: 1 }, currency: '826', alias: null } } },
  ],
])(
  'a mock with a recording of a sandbox agrees with that sandbox: %s',
  async (name, given) => {
    await using sandbox = await startSandbox(answering(given));
    const learned = await recorded(`${name} of the sandbox`, sandbox.url);
    expect(differing(await verify({ target: sandbox.url, ...base, overlays: [learned] }))).toEqual([]);

    const embedded = await verify({ target: 'mock', overlays: [learned], failOn: 'warning' });
    expect([embedded.exitCode, differing(embedded)]).toEqual([0, []]);

    await using mock = await startMock({ overlays: [learned], seedIds: PARAMETERS });
    const again = await recorded(`${name} of the mock`, mock.url, mock.credentials);
    const report = await diff({ before: learned, after: again, failOn: 'warning' });
    expect([report.exitCode, differing(report)]).toEqual([0, []]);
  },
  60_000,
);

const of = ({ seen }: Sandbox, path: string): Set<string> =>
  new Set(seen.filter((one: Seen) => one.path === path).map(({ accept }) => accept));

test('a run accepts JSON or anything else; a recorded operation prefers its recorded type', async () => {
  await using sandbox = await startSandbox(answering({ [CARD_FEES]: { type: hal, body: { x: 1 } } }));
  const learned = await recorded('accepted', sandbox.url);
  expect(of(sandbox, CARD_FEES)).toEqual(new Set(['application/json, */*;q=0.1']));
  await using later = await startSandbox(answering({ [CARD_FEES]: { type: hal, body: { x: 1 } } }));
  await verify({ target: later.url, ...base, overlays: [learned] });
  expect(of(later, CARD_FEES)).toEqual(new Set([`${hal}, application/json;q=0.9, */*;q=0.1`]));
  expect(of(later, GET_CARD)).toEqual(new Set(['application/json, */*;q=0.1']));
}, 60_000);
