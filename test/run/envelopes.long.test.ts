import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/model/report.ts';
import { record } from '../../src/run/record.ts';
import { overlay } from '../contract/support.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { found, run } from './run.ts';
import { CARD, CREDENTIALS, type Fault, json, PARAMETERS as KNOWN, startSandbox } from './sandbox.ts';

const PARAMETERS = { ...KNOWN, transactionId: 't-1' };

/** What an API sends around each payload. */
const meta = (): object => ({ requestId: randomUUID(), ts: new Date().toISOString() });
const LIST = '/wallet/api/customers/c-1/clients/cl-2/cards';
const PAYMENT = '/wallet/api/transactions/t-1';
const FEES = { fees: [{ name: 'issue', amount: 1.5 }] };

const payloadOf = (path: string): unknown => {
  if (path === PAYMENT) return { transactionId: 't-1', amount: 2 };
  if (path === LIST) return { items: [CARD, CARD], page: 1, total: 2 };
  return path.endsWith('/cards/k-4') ? CARD : FEES;
};

/** Answers each good call in an envelope, and leaves the rest to the sandbox. */
const enveloped =
  (payload: (path: string) => unknown = payloadOf): Fault =>
  ({ path, authorization }, response) => {
    if (path === '/iam/oauth/token' || !authorization.startsWith('Bearer ey')) return false;
    const sent = payload(path);
    return json(
      response,
      200,
      sent === null ? { data: null, error: { code: 'E1' }, meta: meta() } : { data: sent, meta: meta() },
    );
  };

const located = overlay(
  'documented',
  `  - target: $.paths\n    update: { '/wallet/api/transactions/{transactionId}': { get: { operationId: getTransaction } } }\n`,
);

describe('a recorded API whose payloads are in an envelope', () => {
  let folder: string;
  let paths: string;
  let recording: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    [paths, recording] = [join(folder, 'paths.yaml'), join(folder, 'recording.yaml')];
    await writeFile(paths, located.text);
    await writeFile(recording, await learned());
  });

  async function learned(): Promise<string> {
    await using sandbox = await startSandbox({ fault: enveloped() });
    const { recording: made } = await record({
      ...{ target: sandbox.url, credentials: CREDENTIALS, parameters: PARAMETERS, limits: { backoff: 5 } },
      overlays: [paths],
    });
    return made?.text ?? '';
  }

  const verified = async (fault: Fault): Promise<Report> =>
    (await run({ fault, parameters: PARAMETERS, overlays: [paths, recording] }))[0];

  test('agrees with itself, also in operations that are known by name', async () => {
    const report = await verified(enveloped());
    expect([found(report), report.verdict]).toEqual([[], 'agrees']);
  });

  test('D2: a notice of all operations in the usual envelope is an outage', async () => {
    const report = await verified(enveloped(() => null));
    expect([found(report), report.exitCode]).toEqual([[], 4]);
    expect(report.checks.some(({ reason }) => reason.includes('return the same answer'))).toBe(true);
  });

  test('an empty list in an envelope with an id and a time is not foreign', async () => {
    const report = await verified(
      enveloped((path) => (path === LIST ? { items: [], page: 1, total: 0 } : payloadOf(path))),
    );
    expect([found(report), report.verdict]).toEqual([[], 'agrees']);
  });

  test('a documented field of an item is a documented error, although the list was recorded', async () => {
    const card = { ...CARD, cardLimitDaily: 'much' };
    const report = await verified(
      enveloped((path) => (path === LIST ? { items: [card, card], page: 1, total: 2 } : payloadOf(path))),
    );
    expect(report.findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      { rule: 'type-contradicted', operationId: 'listClientCards', provenance: 'documented' },
    ]);
  });
});
