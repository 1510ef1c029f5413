import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { diff } from '../../src/diff/diff.ts';
import type { Report } from '../../src/model/report.ts';
import { packageRoot } from '../../src/package-root.ts';
import { type RecordOptions, record } from '../../src/run/record.ts';
import { verify } from '../../src/run/verify.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { CARD, CREDENTIALS, PARAMETERS, type SandboxOptions, startSandbox } from './sandbox.ts';

const GET_CARD = 'GET /wallet/api/customers/c-1/cards/k-4';
const RICH = {
  ...CARD,
  opened: '2025-01-01',
  reference: { code: 'A', parts: [{ n: '1' }] },
  byAccount: { 'acc-5001': { balance: 1.5 }, 'acc-5002': { balance: 2.5 } },
};

let folder: string;
let recording: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  recording = join(folder, 'recording.yaml');
  // one date is not enough to infer a format
  let day = 0;
  const another = (): string => `2025-01-0${1 + (day++ % 9)}`;
  const lively = Object.defineProperty({ ...RICH }, 'opened', { enumerable: true, get: another });
  const [learned] = await recorded({ bodies: { [GET_CARD]: lively } });
  await writeFile(recording, learned.recording?.text ?? '');
});

const base = {
  credentials: CREDENTIALS,
  parameters: PARAMETERS,
  limits: { backoff: 5 },
  timeouts: { firstByte: 2, call: 5, dead: 2 },
};

async function recorded(sandboxOptions: SandboxOptions, options: RecordOptions = {}) {
  await using sandbox = await startSandbox(sandboxOptions);
  const learned = await record({ target: sandbox.url, ...base, ...options });
  return [learned, [...sandbox.seen]] as const;
}

async function verified(sandboxOptions: SandboxOptions): Promise<Report> {
  await using sandbox = await startSandbox(sandboxOptions);
  // awaited here, because the sandbox closes on return
  return await verify({ target: sandbox.url, ...base, overlays: [recording] });
}

const found = ({ findings }: Report): string[] =>
  findings.map(({ severity, rule, operationId, pointer }) => `${severity} ${rule} ${operationId} ${pointer}`);

describe('a recorded sandbox', () => {
  test('record sends only reads, each as often as requested, and records no value', async () => {
    const [learned, seen] = await recorded({ bodies: { [GET_CARD]: RICH } }, { samples: 5 });
    const path = GET_CARD.replace('GET ', '');
    const good = seen.filter((one) => `${one.method} ${one.path}` === GET_CARD && one.authorization.includes('ey'));
    expect(good.length).toBeGreaterThanOrEqual(5);
    expect(learned.recording?.text).toContain('x-samples: 5');
    const written = seen.filter(({ method, path }) => method !== 'GET' && !/fees$|token$/.test(path));
    expect([path, written]).toEqual([path, []]);
    for (const value of ['PLANTED', 'acc-5001', 'k-4', 'c-1', 'cl-2', 'GBP', 'issue', 'eyJ']) {
      expect(learned.recording?.text).not.toContain(value);
    }
    expect(learned.missed.find(({ operationId }) => operationId === 'issueNewCard')?.reason).toBe(
      'write calls need --allow write',
    );
  });

  test('record requests the token response exactly as often as other reads', async () => {
    const of = (text: string | undefined): number =>
      Number(/iam\/oauth\/token[\s\S]*?x-samples: (\d+)/.exec(text ?? '')?.[1]);
    for (const samples of [1, 4]) {
      const [learned, seen] = await recorded({}, { samples });
      expect(of(learned.recording?.text)).toBe(samples);
      const asked = seen.filter(({ path }) => path === '/iam/oauth/token');
      // one for the run itself, the other requests for the recording
      expect(asked.length).toBeLessThanOrEqual(samples + 1);
    }
  });

  test('record reports answers that contradict the documents, and does not record them', async () => {
    const [learned] = await recorded({ bodies: { [GET_CARD]: { ...RICH, cardLimitDaily: '100' } } });
    expect(learned.contradicted).toEqual([
      { operationId: 'getCard', message: '/cardLimitDaily is string, not integer.' },
    ]);
    expect(learned.recording?.text).not.toContain('cardLimitDaily: { type');
    const [agreeing] = await recorded({ bodies: { [GET_CARD]: RICH } });
    expect(agreeing.contradicted).toEqual([]);
  });

  test('verify reports a missing recorded field of a card, but not in the cards of a list', async () => {
    const { token: _, ...rest } = RICH;
    const list = { cards: [{ ...CARD, token: undefined }] };
    const report = await verified({
      bodies: { [GET_CARD]: rest, 'GET /wallet/api/customers/c-1/clients/cl-2/cards': list },
    });
    expect(found(report)).toEqual(['warning required-missing getCard /token']);
  });

  test('a sandbox agrees with its recording, without any finding', async () => {
    const report = await verified({ bodies: { [GET_CARD]: RICH } });
    expect([found(report), report.exitCode]).toEqual([[], 0]);
  });

  test('a recording updates the mock, which then agrees with the recording', async () => {
    const report = await verify({ target: 'mock', overlays: [recording] });
    expect([found(report), report.verdict]).toEqual([[], 'agrees']);
    const card = report.coverage.operations.find(({ operationId }) => operationId === 'getCard');
    expect(card?.fields.find(({ pointer }) => pointer === '/opened')?.seen).toBeGreaterThan(0);
  });

  test('a difference from the recording is one warning, at the line of the recording', async () => {
    const byAccount = { 'acc-9009': { balance: 'x' } };
    const report = await verified({ bodies: { [GET_CARD]: { ...RICH, byAccount } } });
    expect(found(report)).toEqual(['warning type-contradicted getCard /byAccount/*/balance']);
    const [finding] = report.findings;
    expect(finding?.location?.file).toMatch(/recording\.yaml$/);
    expect(finding?.location?.line).toBeGreaterThan(5);
    expect(report.exitCode).toBe(0);
  });

  test('a documented field stays an error even if it was recorded', async () => {
    const report = await verified({ bodies: { [GET_CARD]: { ...RICH, cardLimitDaily: 'x' } } });
    expect(found(report)).toEqual(['error type-contradicted getCard /cardLimitDaily']);
    expect(report.findings[0]?.location?.file).toMatch(/card\.yaml$/);
    expect(report.findings[0]?.occurrences).toBe(report.findings[0]?.exchanges.length);
  });

  test('a field that has become optional is reported with its counts', async () => {
    const items = { cards: [CARD, { ...CARD, id: undefined }, CARD] };
    const path = 'GET /wallet/api/customers/c-1/clients/cl-2/cards';
    const report = await verified({ bodies: { [GET_CARD]: RICH, [path]: items } });
    expect(found(report)).toEqual(['warning required-missing listClientCards /cards/*/id']);
    expect(report.findings[0]?.message).toMatch(/now it is there in 4 of 6 places/);
  });

  test('a sandbox that rejects the credentials exits with 4 and writes no recording', async () => {
    const [learned] = await recorded({}, { credentials: { username: 'x', password: 'wrong-password' } });
    expect([learned.recording, learned.exitCode]).toEqual([null, 4]);
  });

  test('an interrupted recording keeps its results so far', async () => {
    const stop = new AbortController();
    const [learned] = await recorded(
      {
        fault: (seen) => {
          if (seen.path.endsWith('/cards/k-4') && seen.authorization.startsWith('Bearer ey')) stop.abort();
          return false;
        },
      },
      { signal: stop.signal },
    );
    expect(learned.exitCode).toBe(130);
    const reasons = new Set(learned.missed.map(({ reason }) => reason));
    expect(reasons).toContain('the run was interrupted');
    expect(reasons).not.toContain('no check calls it');
    expect(reasons).not.toContain('the call was aborted');
  });

  test('diff of two recordings finds the same differences as verify', async () => {
    const [learned] = await recorded({ bodies: { [GET_CARD]: { ...RICH, id: 4, fresh: 1 } } });
    const other = join(folder, 'other.yaml');
    await writeFile(other, learned.recording?.text ?? '');
    const report = await diff({ before: recording, after: other });
    const live = await verified({ bodies: { [GET_CARD]: { ...RICH, id: 4, fresh: 1 } } });
    expect(found(report)).toEqual(found(live));
    expect(report.findings.map(({ fingerprint }) => fingerprint)).toEqual(
      live.findings.map(({ fingerprint }) => fingerprint),
    );
    expect((await diff({ before: recording, after: recording })).findings).toEqual([]);
  });

  const another = async (name: string, options: SandboxOptions): Promise<string> => {
    const [learned] = await recorded(options);
    const file = join(folder, name);
    await writeFile(file, learned.recording?.text ?? '');
    return file;
  };

  test('diff finds answers that contradict the reference, in two recordings and against the bundle', async () => {
    const bodies = { [GET_CARD]: { ...RICH, cardLimitDaily: '100' } };
    const other = await another('against.yaml', { bodies });
    const error = 'error type-contradicted getCard /cardLimitDaily';
    expect(found(await diff({ before: recording, after: other }))).toEqual([error]);
    const bundle = join(packageRoot, 'spec', 'openapi.yaml');
    const report = await diff({ before: other, after: bundle });
    expect(found(report).filter((one) => !one.startsWith('info'))).toEqual([error]);
    expect([report.exitCode, report.verdict]).toEqual([1, 'drift']);
    expect(found(await diff({ before: recording, after: bundle })).filter((one) => !one.startsWith('info'))).toEqual(
      [],
    );
    // and the recorded answer does not become an expectation of the sandbox
    expect((await verified({ bodies: { [GET_CARD]: RICH } })).findings).toEqual([]);
  });

  test('diff finds good answers that became rejections, and the reverse', async () => {
    const refusing = await another('refusing.yaml', {
      fault: ({ method, path, authorization }, response) => {
        if (`${method} ${path}` !== GET_CARD || !authorization.includes('ey')) return false;
        response.writeHead(403).end();
        return true;
      },
    });
    const changed = ['warning status-changed getCard '];
    expect(found(await diff({ before: recording, after: refusing }))).toEqual(changed);
    const back = found(await diff({ before: refusing, after: recording }));
    expect(back.filter((one) => !one.startsWith('info'))).toEqual(changed);
  });
});
