import { access, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { schemaCheck } from '../../src/files/schema.ts';
import type { Report } from '../../src/model/report.ts';
import { plain } from '../../src/plain.ts';
import { createRedactor } from '../../src/redact/redact.ts';
import { FORMAT_NAMES, FORMATS } from '../../src/report/formats.ts';
import { renderJson } from '../../src/report/json.ts';
import { readReport } from '../../src/report/read.ts';
import { renderText } from '../../src/report/text.ts';
import { assertReportsWritable, parseReportRequests, writeReports } from '../../src/report/write.ts';
import { fakeIo } from '../cli/io.ts';
import { finding, fullReport } from '../support/report-samples.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const empty: Report = fullReport({
  exitCode: 0,
  verdict: 'agrees',
  findings: [],
  accepted: [],
  stale: [],
  checks: [],
  coverage: { operations: [] },
  deprecations: [],
});

describe('json', () => {
  it('is the report itself and keeps to the published schema', async () => {
    const check = await schemaCheck('report');
    for (const each of [fullReport(), empty]) {
      const value: unknown = JSON.parse(renderJson(each));
      expect(value).toEqual(each);
      expect(check(value)).toEqual([]);
    }
  });

  it('leaves fingerprints, rules and dates alone, whatever they look like', () => {
    const iban = 'GB82WEST12345698765432';
    const value = JSON.parse(
      renderJson(fullReport({ findings: [finding({ fingerprint: iban, actual: iban })] })),
    ) as Report;
    expect(value.findings[0]).toMatchObject({ fingerprint: iban, actual: '[redacted]' });
  });
});

describe('a finding of no one operation', () => {
  const shownBy = (...names: string[]): Report => {
    const parts = names.map((operationId, index) => ({ operationId, pointer: '/x', fingerprint: `${index}` }));
    return fullReport({ findings: [finding({ operationId: null, method: null, path: null, parts })] });
  };

  it.each(FORMAT_NAMES.filter((name) => name !== 'json'))('is named by what shows it in %s', (name) => {
    expect(FORMATS[name](shownBy('getOne', 'listOnes', 'getOne'))).toContain('getOne, listOnes');
    expect(FORMATS[name](shownBy('a', 'b', 'c', 'd'))).toContain('4 operations');
    expect(FORMATS[name](shownBy())).toContain('the target as a whole');
  });
});

describe('text', () => {
  const text = renderText(fullReport());

  it.each([
    [
      'the verdict first, and what is new',
      /^DRIFT {2}There is nothing to compare with .*: 1\s+error,\s+1\s+warning,\s+1\s+info;\s+1\s+accepted\s+until 2027-01-01\.\s+The target differs from the contract\.\n/,
    ],
    ['the target', /target +https:\/\/sandbox\.example\.com\n/],
    ['how many findings', /findings +1 error, 1 warning, 1 info, 1 accepted, 1 stale\n/],
    ['how the checks ended', /checks +1 passed, 1 failed, 1 inconclusive, 2 skipped\n/],
    ['an operation with its call', /getCard {2}GET \/wallet\/api\/customers\/\{customerId\}\/cards\/\{cardId\}\n/],
    ['rule, place and provenance of a finding', /error {3}type-contradicted at \/cardLimitDaily \(documented\)\n/],
    ['expected and actual', /expected +integer\n +actual +string\n/],
    ['reference and rule page', /see +API reference, Resources, Card; docs\/rules\/type-contradicted\.md\n/],
    ['the line of the spec', /spec +spec\/schemas\/card\.yaml:12:7\n/],
    ['the exchanges and the fingerprint', /seen +2 times, exchanges 4, 9, fingerprint 00000000000000a1\n/],
    ['who accepted what until when', /known to the bank \(until 2027-01-01 by ann\)/],
    ['stale entries', /eeee {2}its check ran and found nothing/],
    ['why a check could not be judged', /fees\.card\n +403 never recorded\n/],
    ['skipped checks by reason', /1 × missing parameter clientId, userId\n +users\.create\n/],
    ['what is not located', /1 operation not located .*\n +getClients\n/],
    ['how much was covered', /2 of 3 operations located, 1 called\nfields seen: 1 of 2 documented\n/],
    ['what was never seen', /never seen:\n +getCard: \/token\n/],
    ['what was not called and why', /not called, missing parameter clientId, userId:\n +createUser\n/],
    [
      'the deprecated forms',
      /getCardFeesDeprecated → getCardFees: alive, same shape, Deprecation 2024-01-01, Sunset not sent\n/,
    ],
    ['what to do next', /Give parameters in banking-api\.config\.yaml to run more checks: clientId, userId\./],
  ])('says %s', (_what, pattern) => {
    expect(text).toMatch(pattern);
  });

  it('folds checks that share a reason, and long lists; the json report has them all', () => {
    const checks = (['inconclusive', 'skipped', 'failed'] as const).flatMap((outcome) =>
      Array.from({ length: 42 }, (_, index) => ({
        id: `${index % 2 === 0 ? 'cards' : 'fees'}.answers.${outcome}${index}`,
        operationId: 'getCard',
        kind: 'any' as const,
        outcome,
        reason: `because ${outcome}`,
        durationMs: 0,
      })),
    );
    const folded = renderText(fullReport({ checks }));
    expect(folded).toMatch(
      /42 × because inconclusive\n +cards\.answers\.inconclusive0, (?:[^,]+, ?){3}\s*cards\.answers\.inconclusive4 and 37\s+more \(json\s+report\)\n/,
    );
    expect(folded).toMatch(/42 checks failed:\n[^×]*and 37\s+more/);
    expect(folded).toMatch(/42 × because skipped\n +21 cards, 21 fees\n/);
    expect(folded).not.toContain('skipped7');
    expect(renderJson(fullReport({ checks }))).toContain('cards.answers.skipped40');
  });

  it('fits two screens where much of a large contract could not be called', () => {
    const operations = Array.from({ length: 45 }, (_, index) => ({
      operationId: `operationWithALongName${index}`,
      located: index < 30 ? ('documented' as const) : null,
      exercised: index < 20,
      fields: [{ pointer: `/field${index}`, provenance: 'documented' as const, seen: 0, of: 1 }],
      notShown: [],
    }));
    const lines = renderText(fullReport({ findings: [], checks: [], coverage: { operations } })).split('\n');
    expect(lines.length).toBeLessThan(60);
    expect(lines).toContain('  and 12 more (json report)');
  });

  it('names no operations where nothing was called at all', () => {
    const { operations } = fullReport().coverage;
    const dead = renderText(
      fullReport({
        coverage: { operations: operations.map((each) => ({ ...each, exercised: false })) },
        deprecations: fullReport().deprecations.map((each) => ({ ...each, alive: null })),
      }),
    );
    expect(dead).toContain('2 of 3 operations located, 0 called');
    expect(dead).not.toContain('not called:');
    expect(dead).toContain('not known whether they live: getCardFeesDeprecated\n');
  });

  it('puts the operation with the worst finding first', () => {
    expect(text.indexOf('error   type-contradicted')).toBeLessThan(text.indexOf('warning operation-withdrawn'));
  });

  it('is short and friendly where all is well', () => {
    expect(renderText(empty)).toBe(
      [
        'AGREES  There is nothing to compare with (--history and --previous name no earlier run): no finding.',
        'The target agrees with the contract.',
        '  target    https://sandbox.example.com',
        '  run       2026-11-21 01:25 UTC, 4.2 s, banking-api-contract 0.1.0',
        '  findings  none',
        '  checks    none',
        '',
      ].join('\n'),
    );
  });

  it.each([
    [4, 'inconclusive', /^INCONCLUSIVE /],
    [5, 'agrees', /^AGREES [^─]*but\s+the\s+baseline\s+has\s+1\s+stale\s+entry\./],
    [130, 'agrees', /^INTERRUPTED /],
  ] as const)('says what exit code %i means', (exitCode, verdict, pattern) => {
    expect(renderText(fullReport({ exitCode, verdict, findings: [] }))).toMatch(pattern);
  });

  it('says of a run that agrees what it warns of, in the first line and in what to do next', () => {
    const warned = [
      finding({ severity: 'warning', provenance: 'observed' }),
      finding({ severity: 'warning', provenance: 'observed', fingerprint: 'b' }),
      finding({ severity: 'warning', rule: 'sunset-near', fingerprint: 'c' }),
    ];
    const said = renderText(fullReport({ exitCode: 0, verdict: 'agrees', findings: warned, stale: [] }));
    expect(said).toMatch(
      /^AGREES [^─]*No\s+error,\s+but\s+3\s+warnings:\s+it\s+differs\s+from\s+its\s+recording\s+in\s+2\s+places;[^.]+\.\n/,
    );
    expect(said).toMatch(/· Look at the 3 warnings; with --fail-on warning a run fails on them\./);
    expect(said).toMatch(/· Where a change of the target is meant, record it again: docs\/record\.md\./);
    const fine = renderText(
      fullReport({ exitCode: 0, verdict: 'agrees', findings: [finding({ severity: 'info' })], stale: [] }),
    );
    expect(fine).toMatch(/^AGREES [^─]*The target agrees with the contract\.\n/);
    expect(fine).not.toContain('Look at');
  });

  it('D2: a text report says at its top what stood in the way of a run, once per reason', () => {
    const rest = { operationId: 'getCard', kind: 'any', outcome: 'inconclusive', durationMs: 0 } as const;
    const unclear = (id: string, reason: string) => ({ ...rest, id, reason });
    const checks = [unclear('a', 'no token'), unclear('b', 'down'), unclear('c', 'down'), ...fullReport().checks];
    const head = renderText(fullReport({ exitCode: 4, verdict: 'inconclusive', findings: [], checks })).split(
      '\n──',
    )[0];
    expect(head).toMatch(/\n {2}why {7}2 checks: down\n {12}1 check: no token\n {12}1 check: 403 never recorded\n$/);
    // nothing could be tried
    const skipped = fullReport().checks.filter(({ outcome }) => outcome === 'skipped');
    const idle = renderText(fullReport({ exitCode: 4, verdict: 'inconclusive', findings: [], checks: skipped }));
    expect(idle).toMatch(/\n {2}why {7}1 check: missing parameter clientId, userId\n {12}1 check: not located: .*\n/);
    expect(idle).toContain('The reasons at the top say what stood in the way');
  });

  it('shows of an accepted finding what was expected, what came, and the line', () => {
    const accepted = text.slice(text.indexOf('── Accepted'), text.indexOf('── Stale'));
    expect(accepted).toMatch(/expected +integer\n +actual +string\n/);
    expect(accepted).toMatch(/spec +spec\/schemas\/card\.yaml:12:7\n/);
  });

  it('tells what was called without a good answer from what was not called', () => {
    const { operations } = fullReport().coverage;
    const [getCard, createUser] = operations;
    if (getCard === undefined || createUser === undefined) throw new Error('the sample has them');
    const silent = { ...createUser, operationId: 'getAccountFees', exercised: true, goodAnswers: 0 };
    const said = renderText(fullReport({ coverage: { operations: [...operations, silent] } }));
    expect(said).toContain('3 of 4 operations located, 2 called\n');
    expect(said).toMatch(/called, no good answer:\n {2}getAccountFees\n/);
    expect(said).toMatch(/not called, missing parameter clientId, userId:\n {2}createUser\n/);
  });

  it.each([
    [{ alive: null }, 'not known whether it lives, shape not compared, Deprecation not known, Sunset not known'],
    [
      { alive: null, withdrawnSince: '2026-11-18T02:00:00.000Z' },
      'not known whether it lives, seen withdrawn since 2026-11-18, shape not compared, Deprecation not known, Sunset not known',
    ],
    [
      { alive: false, withdrawnSince: '2026-11-21T01:25:10.000Z', deprecation: '@1688169599' },
      'withdrawn since 2026-11-21 (first seen in this run), shape not compared, Deprecation 2023-06-30, Sunset not sent',
    ],
    [
      { alive: false, withdrawnSince: '2026-11-18T02:00:00.000Z', lastAlive: '2026-11-17T02:00:00.000Z' },
      'withdrawn since 2026-11-18, last alive 2026-11-17, shape not compared, Deprecation not sent, Sunset not sent',
    ],
    [
      { alive: true, sameShape: false, sunset: 'Tue, 01 Dec 2026 23:59:59 GMT' },
      'alive, another shape, Deprecation not sent, Sunset 2026-12-01 (10 days left)',
    ],
    [
      { alive: true, sameShape: true, sunset: 'Sun, 22 Nov 2026 00:00:00 GMT' },
      'alive, same shape, Deprecation not sent, Sunset 2026-11-22 (1 day left)',
    ],
    [
      { alive: true, sameShape: true, sunset: 'Sat, 21 Nov 2026 23:00:00 GMT' },
      'alive, same shape, Deprecation not sent, Sunset 2026-11-21 (ends today)',
    ],
    [
      { alive: true, sameShape: true, sunset: 'Fri, 20 Nov 2026 00:00:00 GMT' },
      'alive, same shape, Deprecation not sent, Sunset 2026-11-20 (over)',
    ],
    [{ alive: true, sameShape: true, sunset: 'some day' }, 'alive, same shape, Deprecation not sent, Sunset some day'],
  ] as const)('says of a deprecated form %j: %s', (over, words) => {
    const watch = {
      ...fullReport().deprecations[0],
      sameShape: null,
      deprecation: null,
      sunset: null,
      ...over,
    };
    const other = { ...watch, operationId: 'other', alive: true };
    const said = renderText(fullReport({ deprecations: [watch, other] as never })).replace(/\n {4}/g, ' ');
    expect(said).toContain(`getCardFeesDeprecated → getCardFees: ${words}\n`);
  });

  it('has colours only when asked, and the same words with them', () => {
    const coloured = renderText(fullReport(), { color: true });
    expect(coloured).toContain('\u001b[');
    expect(text).not.toContain('\u001b');
    expect(stripVTControlCharacters(coloured)).toBe(text);
  });

  it('keeps prose within the width of the terminal', () => {
    const long = finding({ message: 'word '.repeat(200).trim(), actual: 'object or array '.repeat(30) });
    for (const columns of [60, 80, 200]) {
      const lines = renderText(fullReport({ findings: [long] }), { columns }).split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(Math.min(columns, 120) + 40);
      expect(lines.filter((line) => line.includes('word word')).every((line) => line.length <= columns)).toBe(true);
    }
  });
});

const HOSTILE = [
  '\u001b[31mred',
  '\u001b]0;title\u0007',
  '\u202etxt.exe',
  'a\nAGREES  fake',
  'a\rb',
  '\u2028',
  '\u200bzero',
  '\u009b2J',
  'a\u0000b',
  '\u{e0041}',
];

describe('hostile text', () => {
  it.each(HOSTILE)('H1: %j is shown as text in every part of a report', (bad) => {
    const hostile = fullReport({
      target: { kind: 'url', baseUrl: `https://x.example/${bad}` },
      findings: [
        finding({
          operationId: bad,
          path: bad,
          pointer: bad,
          expected: bad,
          actual: bad,
          message: bad,
          reference: bad,
        }),
      ],
      accepted: [{ fingerprint: bad, reason: bad, owner: bad, expires: bad, finding: finding({ pointer: bad }) }],
      stale: [{ fingerprint: bad, why: bad }],
      checks: [
        { id: bad, operationId: null, kind: 'any', outcome: 'skipped', reason: bad, durationMs: 0 },
        { id: bad, operationId: null, kind: 'any', outcome: 'inconclusive', reason: bad, durationMs: 0 },
      ],
      coverage: {
        operations: [
          { operationId: bad, located: null, exercised: false, fields: [], notShown: [] },
          {
            operationId: `${bad}2`,
            located: 'observed',
            exercised: true,
            fields: [{ pointer: bad, provenance: 'observed', seen: 0, of: 1 }],
            notShown: [],
          },
        ],
      },
      deprecations: [{ operationId: bad, successor: bad, alive: true, sameShape: null, deprecation: bad, sunset: bad }],
    });
    const text = renderText(hostile);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    expect(text.split('\n').filter((line) => line.startsWith('AGREES'))).toEqual([]);
    expect(JSON.parse(renderJson(hostile))).toBeTypeOf('object');
  });

  it('plain leaves no control or format character, and what is harmless as it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(plain(text))));
    expect(plain('Zürich, 東京, 😀 {a} → "b"')).toBe('Zürich, 東京, 😀 {a} → "b"');
  });
});

describe('secrets', () => {
  it.each(FORMAT_NAMES)('D8, H4: no secret is in a %s report, wherever a rule let it through', (format) => {
    const secret = 'correct horse "battery"';
    const bearer = 'Bearer abcdef1234567890';
    const leaky = fullReport({
      target: { kind: 'url', baseUrl: 'https://bob:hunter2hunter2@x.example/?token=hunter3' },
      findings: [
        finding({
          message: `got ${secret}`,
          actual: encodeURIComponent(secret),
          pointer: `/${secret}`,
          expected: bearer,
        }),
      ],
      checks: [
        {
          id: 'a',
          operationId: null,
          kind: 'any',
          outcome: 'inconclusive',
          reason: `Basic ${Buffer.from(`bob:${secret}`).toString('base64')}`,
          durationMs: 0,
        },
      ],
    });
    const text = FORMATS[format](leaky, {
      redactor: createRedactor({ credentials: [{ username: 'bob', password: secret }] }),
    });
    for (const leak of [
      'horse',
      'battery',
      'abcdef1234567890',
      'hunter2',
      'hunter3',
      Buffer.from(`bob:${secret}`).toString('base64').slice(0, 12),
    ]) {
      expect(text).not.toContain(leak);
    }
  });
});

describe('--report', () => {
  it('reads FORMAT and FORMAT=FILE', () => {
    expect(parseReportRequests(['text', 'json=a=b.json'])).toEqual([
      { format: 'text', file: null },
      { format: 'json', file: 'a=b.json' },
    ]);
  });

  it.each([
    [['jsn'], /no report format "jsn"\. Did you mean json\?/],
    [['text', 'json'], /Only one report can go to stdout/],
    [['text=a', 'json=a'], /Two reports would be written to a/],
    [['json='], /file of --report json= is missing/],
  ])('refuses %j', (texts, message) => {
    expect(() => parseReportRequests(texts)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringMatching(message) }),
    );
  });

  it('D11: a report is written as a whole, its folder is made, and nothing else is left behind', async () => {
    const file = join(folder, 'new', 'report.json');
    const io = fakeIo();
    await writeReports(fullReport(), parseReportRequests(['text', `json=${file}`]), { stdout: io.stdout, color: true });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(fullReport());
    expect(io.out()).toContain('DRIFT');
    expect(await readdir(join(folder, 'new'))).toEqual(['report.json']);
  });

  it('D11: a report is written through a symbolic link, also to a file that is not there yet, and the link stays', async () => {
    const links = join(folder, 'links');
    await mkdir(join(links, 'store'), { recursive: true });
    await writeFile(join(links, 'store', 'old.json'), 'the last good one');
    await symlink('store/old.json', join(links, 'report.json'));
    await symlink('report.json', join(links, 'twice.json'));
    await symlink('store/made/new.json', join(links, 'new.json'));
    await mkdir(join(links, 'far', 'away'), { recursive: true });
    await symlink('far/away', join(links, 'folder'));
    await symlink('../up.json', join(links, 'far', 'away', 'up.json'));
    await symlink('loop.json', join(links, 'loop.json'));
    for (const name of ['twice.json', 'new.json', 'folder/up.json']) {
      const requests = parseReportRequests([`json=${join(links, name)}`]);
      await assertReportsWritable(requests);
      await writeReports(fullReport(), requests, fakeIo());
    }
    expect(JSON.parse(await readFile(join(links, 'store', 'old.json'), 'utf8'))).toEqual(fullReport());
    expect(JSON.parse(await readFile(join(links, 'store', 'made', 'new.json'), 'utf8'))).toEqual(fullReport());
    expect(JSON.parse(await readFile(join(links, 'far', 'up.json'), 'utf8'))).toEqual(fullReport());
    for (const name of ['report.json', 'twice.json', 'new.json', 'folder/up.json']) {
      expect((await lstat(join(links, name))).isSymbolicLink()).toBe(true);
    }
    expect((await readdir(join(links, 'store'))).sort()).toEqual(['made', 'old.json']);
    await expect(
      writeReports(fullReport(), parseReportRequests([`json=${join(links, 'loop.json')}`]), fakeIo()),
    ).rejects.toMatchObject({ code: 'file-unwritable', message: expect.stringContaining('ELOOP') });
  });

  it('says before the run that a file cannot be written, and creates none', async () => {
    const file = join(folder, 'later.json');
    await assertReportsWritable(parseReportRequests([`json=${file}`, 'text=/dev/null']));
    await expect(access(file)).rejects.toThrow();
    for (const bad of [folder, '/proc/none/report.json', '/dev/null/x']) {
      await expect(assertReportsWritable([{ format: 'json', file: bad }])).rejects.toMatchObject({
        code: 'file-unwritable',
      });
    }
  });

  it('D11: one report that fails keeps neither the others nor stdout back, and the last good report stays', async () => {
    const good = join(folder, 'good.json');
    const io = fakeIo();
    const requests = parseReportRequests([`text=${folder}`, `json=${good}`, 'text']);
    await expect(writeReports(fullReport(), requests, io)).rejects.toMatchObject({ code: 'file-unwritable' });
    expect(io.out()).toContain('DRIFT');
    expect(JSON.parse(await readFile(good, 'utf8'))).toEqual(fullReport());
  });
});

describe('the report command', () => {
  async function saved(text: string): Promise<string> {
    const file = join(folder, 'saved.json');
    await writeFile(file, text);
    return file;
  }

  it('renders a saved report again, the same as the first time', async () => {
    await saved(renderJson(fullReport()));
    const io = fakeIo({ cwd: folder });
    expect(await run(['report', 'text', 'saved.json'], io)).toBe(0);
    expect(io.out()).toBe(renderText(fullReport()));
    const again = fakeIo({ cwd: folder });
    expect(await run(['report', 'json', 'saved.json'], again)).toBe(0);
    expect(again.out()).toBe(renderJson(fullReport()));
  });

  it('takes a report with fields that a later version adds', async () => {
    const file = await saved(JSON.stringify({ ...fullReport(), later: 1 }));
    expect((await readReport(file)).verdict).toBe('drift');
  });

  it.each([
    ['no JSON', '{\n  "reportVersion": 1,,\n}', 2, /no JSON/],
    ['a word that JSON does not have', '{\n  "reportVersion": NaN\n}', 2, /no JSON/],
    ['another version', '{"reportVersion":2}', 1, /version 2; this tool reads version 1/],
    [
      'a wrong severity',
      renderJson(fullReport()).replace('"warning"', '"bad"'),
      43,
      /must be one of "error", "warning", "info"/,
    ],
    ['something else', '[]', 1, /must be object/],
  ])('ends with 2 for %s and names the place', async (_what, text, line, message) => {
    const file = await saved(text);
    const io = fakeIo();
    expect(await run(['report', 'text', file], io)).toBe(2);
    expect(io.err()).toMatch(new RegExp(`saved\\.json:${line}:\\d+`));
    expect(io.err()).toMatch(message);
  });

  it.each([
    [['report']],
    [['report', 'text']],
    [['report', 'text', 'a', 'b']],
    [['report', 'pdf', 'a']],
    [['report', 'text', 'none.json']],
  ])('ends %j with 2', async (argv) => {
    expect(await run(argv, fakeIo({ cwd: folder }))).toBe(2);
  });
});
