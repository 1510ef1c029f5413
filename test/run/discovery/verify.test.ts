import { describe, expect, test } from 'vitest';
import type { ToolError } from '../../../src/errors.ts';
import type { Report } from '../../../src/model/report.ts';
import { nextSection } from '../../../src/report/sections/next-steps.ts';
import { verdictLine } from '../../../src/report/words/verdict.ts';
import type { VerifyOptions } from '../../../src/run/options.ts';
import { verify } from '../../../src/run/verify.ts';
import { birdsFolder, item, parameter, parameters, QUICK, serve } from './birds.ts';

const BIRD = parameters(parameter('birdId'));
const schema = (text: string): string =>
  `responses: { '200': { description: good, content: { application/json: { schema: ${text} } } } }`;
const PATHS = {
  '/birds': `{ get: { operationId: listBirds, ${schema('{ type: [array, object] }')} } }`,
  '/birds/{birdId}': `{ get: { operationId: getBird, ${BIRD}, ${schema('{ type: object, required: [name], properties: { name: { type: string } } }')} } }`,
  '/birds/{birdId}/feed': item('feedBird', 'post', BIRD),
};
const NOW = Date.parse('2026-11-28T02:00:00Z');

async function run(
  bodies: Readonly<Record<string, unknown>>,
  options: VerifyOptions = {},
): Promise<[Report, string[]]> {
  await using server = await serve(bodies);
  const folder = await birdsFolder(PATHS);
  const report = await verify({ ...QUICK, target: server.url, folder, clock: () => NOW, ...options });
  return [report, server.seen];
}

/** The section “What to do next” without markup. */
function linesOf(report: Report): string[] {
  return nextSection(report).blocks.flatMap((block) => (block.kind === 'yaml' ? block.lines : []));
}

test('a broken operation is found with an id that only a list shows', async () => {
  const [report, seen] = await run({ '/birds': [{ id: 'b1' }], '/birds/b1': { name: 7 } });
  expect(report.findings.map(({ rule, operationId }) => [rule, operationId])).toEqual([
    ['type-contradicted', 'getBird'],
  ]);
  expect(report).toMatchObject({ exitCode: 1, discovered: [{ parameter: 'birdId', from: 'listBirds' }] });
  expect(verdictLine(report)).toMatch(/^DRIFT: 2 of 3 operations called, 1 of 1 documented field seen; 1 error/);
  expect(report.coverage.share).toEqual({
    operations: { called: 2, of: 3 },
    fields: { seen: 1, of: 1 },
    skipped: 0,
    notLocated: 0,
  });
  // as often as with a configured id
  const [, configured] = await run({ '/birds': [], '/birds/b1': { name: 7 } }, { parameters: { birdId: 'b1' } });
  const times = (all: readonly string[]): number => all.filter((one) => one === 'GET /birds/b1').length;
  expect(times(seen)).toBe(times(configured));
});

test('a read without its id is inconclusive, and the report has the lines to add', async () => {
  const [report] = await run({ '/birds': { message: 'closed' } });
  expect(report).toMatchObject({ exitCode: 4, verdict: 'inconclusive' });
  expect(verdictLine(report)).toContain('missing parameter birdId: listBirds, which should show it, gave no list');
  expect(linesOf(report)).toEqual([
    'parameters:',
    '  birdId: "<birdId>" # for getBird',
    'skip:',
    '  getBird: { reason: "no birdId is known", until: "2027-05-27" }',
  ]);
});

test('if no token can be had, that is the reason, and not the ids that no list could show', async () => {
  const { url, ...server } = await serve({});
  await server[Symbol.asyncDispose]();
  const report = await verify({ ...QUICK, target: url, clock: () => NOW, timeouts: { dead: 0.5 } });
  expect(report).toMatchObject({ exitCode: 4, verdict: 'inconclusive' });
  expect(verdictLine(report)).toContain('ECONNREFUSED');
  expect(verdictLine(report)).not.toContain('missing parameter');
  expect(linesOf(report)).toEqual([]);
});

test('an empty list that was always empty leaves the verdict alone', async () => {
  const [report] = await run({ '/birds': [] });
  expect(report).toMatchObject({ exitCode: 0, verdict: 'agrees' });
  expect(report.checks.find(({ operationId }) => operationId === 'getBird')).toMatchObject({
    outcome: 'skipped',
    reason: 'no birdId to read: listBirds is empty',
  });
});

const SKIP = { getBird: { reason: 'a <private> collection', until: '2027-01-31' } };

test('a skip takes an operation without its id out, and the share counts it apart', async () => {
  const [report] = await run({ '/birds': { message: 'closed' } }, { skip: SKIP });
  expect(report).toMatchObject({ exitCode: 0, coverage: { share: { skipped: 1 } } });
  expect(verdictLine(report)).toBe(
    'AGREES: 1 of 3 operations called, 0 of 1 documented field seen (1 skipped); no findings.',
  );
});

test('a skip that has ended is a notice, and the run is inconclusive again', async () => {
  const skip = { getBird: { reason: 'r', until: '2026-11-27' } };
  const [report] = await run({ '/birds': { message: 'closed' } }, { skip });
  expect(report).toMatchObject({ exitCode: 4, notices: [{ code: 'skip-ended' }] });
});

test.each([
  ['an operation whose id an answer shows', 'getBird', '2027-01-31', /Only a located read that lacks/],
  ['an operation without parameters', 'listBirds', '2027-01-31', /Only a located read that lacks/],
  ['a write', 'feedBird', '2027-01-31', /Only a located read that lacks/],
  ['an unknown operation', 'getBirb', '2027-01-31', /There is no operation.* Did you mean getBird\?/],
  ['more than 180 days', 'getBird', '2027-05-28', /no day of the next 180.*2027-05-27/],
])('a skip cannot name %s', async (_, id, until, said) => {
  const skip = { [id]: { reason: 'r', until } };
  const error = await run({ '/birds': [{ id: 'b1' }], '/birds/b1': {} }, { skip }).catch((thrown: ToolError) => thrown);
  expect(error).toMatchObject({ code: 'config' });
  expect((error as ToolError).describe()).toMatch(said);
});

test('a skip never makes a run agree that checked nothing', async () => {
  const [report] = await run({}, { skip: SKIP, discover: false });
  expect(report.exitCode).toBe(4);
});

describe('a configured id that its list lacks', () => {
  const bodies = { '/birds': [{ id: 'b1' }], '/birds/b1': { name: 7 } };
  const options = { parameters: { birdId: 'gone' } };

  test('is replaced, and its row stays inconclusive', async () => {
    const [report, seen] = await run(bodies, options);
    expect(report).toMatchObject({
      exitCode: 1,
      findings: [{ rule: 'type-contradicted', operationId: 'getBird' }],
      discovered: [{ parameter: 'birdId', from: 'listBirds' }],
    });
    expect(report.checks.find(({ id }) => id === 'operations.answers.getBird')).toMatchObject({
      outcome: 'inconclusive',
      why: { kind: 'ids-gone', names: ['birdId'], lists: ['listBirds'] },
    });
    expect(seen.filter((one) => one === 'GET /birds/b1')).toHaveLength(1);
    expect(seen.filter((one) => !one.startsWith('GET'))).toEqual([]);
  });

  test('still counts as gone if the new one is fine', async () => {
    const [report] = await run({ ...bodies, '/birds/b1': { name: 'Kea' } }, options);
    expect(report).toMatchObject({ exitCode: 4, findings: [] });
    expect(report.coverage.operations.find(({ operationId }) => operationId === 'getBird')?.goodAnswers).toBe(1);
  });

  test('is not replaced with discover: false', async () => {
    const [report, seen] = await run(bodies, { ...options, discover: false });
    expect([report.exitCode, seen.includes('GET /birds/b1')]).toEqual([4, false]);
  });
});
