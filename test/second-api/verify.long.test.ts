import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/model/report.ts';
import { command, listening, report } from '../cli/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { configured, ENV, startSandbox, talk } from './journey.ts';
import { DRIFT, FOLDER } from './pigeons.ts';

const work = await temporaryFolder();

/** Drift that passing traffic reveals. */
const DRIFTED = [
  'error required-missing fetchToken /expires_in',
  'error type-contradicted readFlyingWeather /mayFly',
  'error value-contradicted readPigeon /plumage',
];

const SLOW = { timeout: 60_000 };
const found = ({ findings }: Report): readonly string[] =>
  findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ severity, rule, operationId, pointer }) => `${severity} ${rule} ${operationId} ${pointer}`)
    .sort();

describe('verify', () => {
  test('the mock agrees, and every operation with a path is called', SLOW, async () => {
    const told = await report(['verify', '--contract', FOLDER, '--target', 'mock'], { cwd: work });
    expect([told.verdict, told.findings]).toEqual(['agrees', []]);
    expect(told.coverage.operations.filter(({ exercised }) => !exercised)).toEqual([]);
    expect(told.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(told.checks.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'token.response',
        'letters.answers.readLetter',
        'letters.deprecated-shape.readFlightOfOld',
        'letters.limit.declaredValue.SEK',
        'letters.limit-at-maximum.DKK',
        'letters.seaRoute-only-overseas',
        'letters.ring-before-flight',
        'unauthorised.no-token.listLofts',
        'weather.answers.readFlyingWeather',
      ]),
    );
    expect(told.checks.map(({ id }) => id)).not.toContain('unauthorised.no-token.readFlyingWeather');
  });

  test('a sandbox without drift agrees, and only reads are sent', SLOW, async () => {
    await using sandbox = await startSandbox();
    const argv = ['verify', ...(await configured(work)), '--target', sandbox.url];
    const told = await report(argv, { env: ENV });
    expect([told.verdict, found(told)]).toEqual(['agrees', []]);
    expect(sandbox.seen.filter((request) => /^(?:PUT|DELETE)|sendLetter|enrolPigeon/.test(request))).toEqual([]);
  });

  test('a sandbox with drift is found', SLOW, async () => {
    await using sandbox = await startSandbox(DRIFT);
    // facts about the configured letter that no field of the reference contains
    const settings = await configured(work, { letter: { valueCurrency: 'SEK', overseas: false } });
    const argv = ['verify', ...settings, '--target', sandbox.url, '--allow', 'write'];
    const told = await report(argv, { env: ENV });
    expect(told.verdict).toBe('drift');
    expect(found(told)).toEqual(
      [
        'error limit-not-enforced sendLetter ',
        ...DRIFTED,
        'error token-not-refused listLofts ',
        'warning operation-withdrawn readFlightOfOld ',
      ].sort(),
    );
  });
});

test('record learns, verify compares with the recording, and diff compares two recordings', SLOW, async () => {
  const settings = await configured(work);
  const [before, after] = [join(work, 'before.yaml'), join(work, 'after.yaml')];
  for (const [file, changes] of [
    [before, []],
    [after, DRIFT],
  ] as const) {
    await using sandbox = await startSandbox(changes);
    const { code, err } = await command(['record', ...settings, '--target', sandbox.url, '--out', file], { env: ENV });
    expect(code, err).toBe(0);
  }
  await using sandbox = await startSandbox(DRIFT);
  const argv = ['verify', ...settings, '--target', sandbox.url, '--overlay', before];
  expect(found(await report(argv, { env: ENV }))).toContain('warning fields-renamed readLetter ');
  expect(found(await report(['diff', before, after, '--contract', FOLDER]))).toContain(
    'warning status-changed readFlightOfOld ',
  );
});

test('proxy judges traffic and blocks pure writes', SLOW, async () => {
  await using sandbox = await startSandbox(DRIFT);
  const argv = ['proxy', ...(await configured(work)), '--target', sandbox.url, '--fail-on', 'error'];
  const proxy = await listening([...argv, '--report', 'json'], { env: ENV });
  const answers = await talk(proxy.url, [
    { operation: 'readFlyingWeather' },
    { operation: 'readPigeon' },
    { operation: 'recallLetter' },
  ]);
  const { code, out } = await proxy.end();
  expect(answers).toMatchObject([{ status: 200 }, { status: 200 }, { status: 403 }]);
  expect(code).toBe(1);
  expect(found(JSON.parse(out))).toEqual(DRIFTED);
});
