import { describe, expect, test } from 'vitest';
import type { OverlaySource } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { plan } from '../../src/run/plan.ts';
import { verify } from '../../src/run/verify.ts';
import { movedTo } from '../contract/lowering.ts';
import { found, run } from './run.ts';
import { CREDENTIALS, json, PARAMETERS, type SandboxOptions, startSandbox } from './sandbox.ts';

const SCHEMA = '{ type: object, required: [total], properties: { total: { type: integer } } }';
const RESPONSES = `responses: { 2XX: { description: good, content: { application/json: { schema: ${SCHEMA} } } } }`;

/** Operations that are not in the reference. */
function overlay(paths: string, provenance = 'documented'): OverlaySource[] {
  const text = `overlay: 1.0.0
x-provenance: ${provenance}
info: { title: tenant, version: 1.0.0 }
actions:
  - target: $.paths
    update:
${paths.replace(/^/gm, '      ')}
`;
  return [{ file: 'tenant.yaml', text }];
}

const STATEMENTS = `/wallet/api/customers/{customerId}/statements:
  get:
    operationId: getStatements
    tags: [Statements of account]
    parameters:
      - { name: customerId, in: path, required: true, schema: { type: string } }
      - { name: from, in: query, required: true, schema: { type: string } }
      - { name: page, in: query, schema: { type: integer } }
      - { name: X-Branch, in: header, required: true, schema: { type: string } }
    ${RESPONSES}`;
const parameters = { ...PARAMETERS, from: '2026-01-01&x', 'X-Branch': 'b-9' };
const PATH = '/wallet/api/customers/c-1/statements?from=2026-01-01%26x';

test('verify rejects an overlay that takes away an operation that the own contract files need', async () => {
  const overlays = [movedTo('/wallet/api/customers/{customerId}/cards', 'getTransactionFees')];
  await expect(verify({ target: 'mock', overlays })).rejects.toMatchObject({
    code: 'overlay-invalid',
    message: expect.stringMatching(/card-limits\.contract.*no operation issueNewCard/),
  });
});

describe('an operation defined only by an overlay', () => {
  const at = (answer: unknown): Record<string, unknown> => ({ [`GET ${PATH}`]: answer });

  test.each([
    ['documented', { total: 1 }, 'passed', []],
    ['documented', { total: 'one' }, 'failed', ['type-contradicted getStatements /total']],
    ['observed', { total: 'one' }, 'passed', ['type-contradicted getStatements /total']],
  ])(
    'an operation of an overlay is called, judged and reported: %s, %j is %s',
    async (provenance, answer, outcome, findings) => {
      const [report, sandbox] = await run({
        overlays: overlay(STATEMENTS, provenance),
        parameters,
        bodies: at(answer),
      });
      const check = report.checks.find(({ id }) => id === 'statements-of-account.answers.getStatements');
      expect([check?.operationId, check?.outcome]).toEqual(['getStatements', outcome]);
      expect(found(report)).toEqual(findings);
      const calls = sandbox.seen.filter(({ path }) => path === PATH);
      // without a token, with an invalid token, and with a good token
      expect(calls.map(({ authorization }) => authorization.slice(0, 9)).sort()).toEqual([
        '',
        'Bearer ey',
        'Bearer ga',
      ]);
      const row = report.coverage.operations.find(({ operationId }) => operationId === 'getStatements');
      expect(row).toMatchObject({ located: provenance, exercised: true, goodAnswers: 1 });
    },
  );

  test('a value that cannot be sent in a header skips the operation, and the run calls all other operations', async () => {
    const odd = { ...parameters, 'X-Branch': 'Łódź\n' };
    const [report, sandbox] = await run({ overlays: overlay(STATEMENTS), parameters: odd });
    const check = report.checks.find(({ id }) => id === 'statements-of-account.answers.getStatements');
    expect([check?.outcome, check?.reason]).toEqual(['skipped', 'x-branch cannot be sent as it is in a header field']);
    expect(sandbox.seen.filter(({ path }) => path.includes('statements'))).toEqual([]);
    expect([report.verdict, found(report)]).toEqual(['agrees', []]);
  });

  test('the run sends header fields that are documented as parameters', async () => {
    const branches: unknown[] = [];
    const fault: SandboxOptions['fault'] = ({ path }, response) => {
      if (path === PATH) branches.push(response.req.headers['x-branch']);
      return false;
    };
    await run({ overlays: overlay(STATEMENTS), parameters, bodies: at({ total: 1 }), fault });
    expect(branches).toEqual(['b-9', 'b-9', 'b-9']);
  });

  test('a missing required parameter leaves the operation uncalled, and the run inconclusive', async () => {
    const [report, sandbox] = await run({ overlays: overlay(STATEMENTS), bodies: at({ total: 1 }) });
    const check = report.checks.find(({ id }) => id === 'statements-of-account.answers.getStatements');
    expect(check).toMatchObject({ outcome: 'inconclusive', reason: 'missing parameter from, X-Branch' });
    expect(sandbox.seen.filter(({ path }) => path.includes('statements'))).toEqual([]);
  });

  test('an operation without security is called without a token, and skips the token checks', async () => {
    const health = `/public/health:\n  get: { operationId: getHealth, security: [], ${RESPONSES} }`;
    const bodies: Record<string, unknown> = { '/public/health': { total: 'one' } };
    const [report, sandbox] = await run({
      overlays: overlay(health),
      fault: ({ path }, response) => {
        if (!(path in bodies)) return false;
        return json(response, 200, bodies[path]);
      },
    });
    expect(found(report)).toEqual(['type-contradicted getHealth /total']);
    const own = report.checks.filter(({ operationId }) => operationId === 'getHealth');
    expect(own.map(({ id, outcome }) => [id, outcome])).toEqual([['operations.answers.getHealth', 'failed']]);
    const calls = sandbox.seen.filter(({ path }) => path === '/public/health');
    expect(calls.map(({ authorization }) => authorization)).toEqual(['']);
  });

  test('D6: the effects policy also applies to operations of an overlay', async () => {
    const paths = `/wallet/api/customers/{customerId}/notes:
  post: { operationId: addNote, ${RESPONSES} }
  delete: { operationId: dropNotes, ${RESPONSES} }`;
    const overlays = overlay(paths);
    const [report, sandbox] = await run({ overlays });
    const reasonOf = (id: string) => report.checks.find((check) => check.id === `operations.answers.${id}`)?.reason;
    expect(reasonOf('addNote')).toBe('write calls need --allow write');
    expect(reasonOf('dropNotes')).toBe('destructive calls need --allow destructive');
    expect(sandbox.seen.filter(({ path }) => path.includes('notes'))).toEqual([]);
    const rows = await plan({ target: sandbox.url, credentials: CREDENTIALS, parameters: PARAMETERS, overlays });
    expect(rows.filter(({ path }) => path.includes('notes'))).toEqual([]);
  });
});

test('D6: assumed facts about an operation do not affect the requests that are sent', async () => {
  await using sandbox = await startSandbox();
  const path = '/wallet/api/customers/{customerId}/notes';
  const own = overlay(
    `${path}:\n  post: { operationId: addNote, ${RESPONSES} }\n  delete: { operationId: dropNotes, ${RESPONSES} }`,
  );
  const words = `{ x-effect: read, x-creates: cardId }`;
  const [guess] = overlay(`${path}: { post: ${words}, delete: { x-effect: read, x-removes: cardId } }`, 'assumed');
  const overlays = [...own, ...(guess === undefined ? [] : [guess])];
  const { operation } = await loadContract({ overlays });
  expect(operation('addNote')).toMatchObject({ located: 'documented', effect: 'write', creates: null });
  expect(operation('dropNotes')).toMatchObject({ effect: 'destructive', removes: null });
  const rows = await plan({ target: sandbox.url, credentials: CREDENTIALS, parameters: PARAMETERS, overlays });
  expect(rows.filter(({ target }) => target.includes('notes'))).toEqual([]);
});

test('an operation is compared with a successor from an overlay, and its method only if that changes', async () => {
  await using sandbox = await startSandbox();
  const pair = (id: string, more: string): string => `/wallet/api/customers/{customerId}/${id}:
  get: { operationId: ${id}, deprecated: true, x-successor: { operationId: ${id}Now${more} }, tags: [Notes], ${RESPONSES} }
/wallet/api/customers/{customerId}/${id}/now:
  ${more === '' ? 'get' : 'post'}: { operationId: ${id}Now, tags: [Notes], x-effect: read, ${RESPONSES} }`;
  const overlays = overlay(`${pair('some', '')}\n${pair('other', ', methodChange: { from: GET, to: POST }')}`);
  const rows = await plan({
    target: sandbox.url,
    credentials: CREDENTIALS,
    parameters: PARAMETERS,
    probe: true,
    overlays,
    effects: { otherNow: 'read' },
    writesAllowedOn: ['127.0.0.1'],
  });
  const own = rows.filter(({ checkId }) => checkId.startsWith('notes.'));
  expect(own.map(({ checkId, operationId, method }) => `${checkId} ${method} ${operationId}`)).toEqual([
    'notes.deprecated-answers.some GET some',
    'notes.deprecated-shape.some GET someNow',
    'notes.deprecated-shape.some GET some',
    'notes.deprecated-answers.other GET other',
    'notes.deprecated-shape.other POST otherNow',
    'notes.deprecated-shape.other GET other',
    'notes.other-method.otherNow GET otherNow',
    'notes.answers.someNow GET someNow',
    'notes.answers.otherNow POST otherNow',
  ]);
});
