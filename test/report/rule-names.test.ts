import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { circumstancesOf } from '../../src/contract/conditions.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { schemaCheck } from '../../src/files/schema.ts';
import { judge } from '../../src/judge/judge.ts';
import type { Finding } from '../../src/model/finding.ts';
import { packageRoot } from '../../src/package-root.ts';
import { FORMATS } from '../../src/report/formats.ts';
import { withHistory } from '../../src/report/history.ts';
import { call } from '../judge/calls.ts';
import { check, report } from '../support/report-samples.ts';

const NAME = 'sea-route-without-sea';

describe('a contract with its own name for a rule', () => {
  let found: readonly Finding[];
  beforeAll(async () => {
    const second = await readContractFolder(join(packageRoot, 'examples/second-api'));
    const contract = await loadContract({ folder: { ...second, rules: { 'field-against-condition': NAME } } });
    const parameters = { letterNumber: '7' };
    const facts = { letter: { overseas: false } };
    const calls = [call('readLetter', { json: { letterNumber: '7', seaRoute: 'x' } }, { parameters })];
    const circumstances = circumstancesOf({ groups: contract.folder.facts, facts, parameters });
    found = judge({ contract, calls, circumstances, redact: (text) => text }).findings;
    expect(found.map(({ rule, engineRule }) => [rule, engineRule])).toEqual([[NAME, 'field-against-condition']]);
  });

  test.each(['markdown', 'html', 'sarif'] as const)('the title and page of the rule appear in %s', (format) => {
    const text = FORMATS[format](report({ findings: found }));
    expect(text).toContain('A field is present although its condition is false');
    expect(text).toContain('/docs/rules/card-token-not-physical.md');
    expect(text).toContain(NAME);
    expect(text).not.toContain(`${NAME}.md`);
  });

  test.each(['text', 'junit'] as const)('the page appears in %s, and the title in a GitHub log', (format) => {
    expect(FORMATS[format](report({ verdict: 'drift', exitCode: 1, findings: found }))).toContain(
      'docs/rules/card-token-not-physical.md',
    );
    expect(FORMATS.github(report({ findings: found }))).toContain('title=A field is present although its condition');
  });

  test('the schema accepts the name, and only the check that found it can report it as fixed', async () => {
    const shown = found.map((each) => ({ ...each, checks: ['letters.sea-route-only-overseas'] }));
    const before = report({ startedAt: '2026-11-18T02:00:00.000Z', findings: shown });
    expect((await schemaCheck('report'))(JSON.parse(FORMATS.json(before)))).toEqual([]);
    const answers = check({ id: 'letters.answers.readLetter', operationId: 'readLetter', outcome: 'passed' });
    const only = check({ id: 'letters.sea-route-only-overseas', operationId: 'readLetter', outcome: 'skipped' });
    const now = (checks: (typeof only)[]) =>
      withHistory(report({ startedAt: '2026-11-19T02:00:00.000Z', findings: [], checks }), [before]).history?.gone;
    expect(now([answers, only])).toEqual([]);
    expect(now([answers, { ...only, outcome: 'passed' }])).toMatchObject([{ rule: NAME }]);
  });
});
