import { beforeAll, describe, expect, it } from 'vitest';
import { type LintProblem, lintContract } from '../../src/contract/lint/lint.ts';
import { requireEngine } from '../../src/contract/lint/spectral.ts';
import { loadContract } from '../../src/contract/load.ts';
import { type JsonObject, nodeAt } from '../../src/schema/json.ts';
import { joinPointer, parsePointer } from '../../src/text/pointer.ts';
import { overlay } from './support.ts';

type Draft = { [key: string]: unknown };

const contract = await loadContract();

/** Lints the contract with members of its document changed; `undefined` removes a member. */
async function lintWith(...changes: readonly (readonly [place: string, value: unknown])[]): Promise<LintProblem[]> {
  const document = structuredClone(contract.document) as JsonObject;
  for (const [place, value] of changes) {
    const path = parsePointer(pointerOf(place)) ?? [];
    let node = document as Draft;
    for (const key of path.slice(0, -1)) {
      node[key] ??= {};
      node = node[key] as Draft;
    }
    const last = path.at(-1) ?? '';
    if (value === undefined) delete node[last];
    else node[last] = value;
  }
  return lintContract({ ...contract, document, at: (pointer) => nodeAt(document, pointer) });
}

/** A place in the document, as keys separated by spaces. The first key may be an operationId or a schema name. */
function pointerOf(place: string): string {
  const [first = '', ...keys] = place.split(' ');
  const schema = joinPointer('/components/schemas', first);
  const start = contract.operation(first)?.pointer ?? (contract.at(schema) === undefined ? `/${first}` : schema);
  return joinPointer(start, ...keys);
}

const invented = { description: 'x', 'x-reference': 'x' };
const noPair = { paths: ['/iam/oauth/token', '/none'] };
const scheme = 'components securitySchemes';
const JSON_TYPE = 'application/json';
const CARDS = '/wallet/api/customers/{customerId}/clients/{clientId}/cards';
const token = 'Card properties token';
const daily = 'IssueNewCardRequest properties cardLimitDaily';
const visible = 'CreateNewBeneficiaryRequest properties visible';
const activated = 'activateCard responses 2XX';
const aliased = `updateCardAlias responses 2XX content ${JSON_TYPE} example`;
const successor = 'getTransactionFeesDeprecated x-successor';
const notShown = 'getTransactionFees x-not-shown';
const code = 'createSecurityCode';
const second = { type: 'http', scheme: 'bearer', 'x-token': {} };
const rule = { id: 'a', statement: 'A.' };
const newer = { ...invented, dependentRequired: { a: ['b'] }, example: { a: 1 } };

/** A change to the document, the rule that must report it, and the reported place (default: the change). */
const FAULTS: readonly (readonly [what: string, rule: string, place: string, value: unknown, at?: string])[] = [
  ['no operationId', 'operation-id-known', 'listClientCards operationId', undefined, 'listClientCards'],
  ['an operation outside the reference', 'operation-id-known', 'getCard operationId', 'fetchCard'],
  ['an operation without x-reference', 'reference-present', 'suspendCard x-reference', undefined, 'suspendCard'],
  ['a field without x-reference', 'reference-present', `${token} x-reference`, undefined, token],
  ['a response without x-reference', 'reference-present', `${activated} x-reference`, undefined, activated],
  ['a release that YAML read as a number', 'release-known', 'createUser x-since', 1.1],
  ['an invalid release', 'release-known', 'createUsername x-since', '2.10'],
  ['no successor', 'successor-exists', 'getCardFeesDeprecated x-successor', undefined, 'getCardFeesDeprecated'],
  ['a missing successor', 'successor-exists', 'getAccountFeesDeprecated x-successor operationId', 'getFees'],
  ['an undeclared change of method', 'successor-exists', `${successor} methodChange`, undefined, successor],
  [
    'a successor of an operation that is not deprecated',
    'successor-exists',
    'updateCard x-successor',
    { operationId: 'getCard' },
  ],
  ['a success status', 'documented-statuses', 'deleteCard responses 200', invented],
  ['an error status', 'documented-statuses', 'getCardFees responses 404', invented],
  ['an error body', 'documented-statuses', 'components responses Unauthorized content', {}],
  ['a name-only operation with a method', 'name-only-without-method', 'getClient get', { responses: {} }],
  ['a notification with a method', 'name-only-without-method', 'webhooks card-updated post', { responses: {} }],
  ['a word outside the vocabulary', 'not-shown-words', 'getAccountFees x-not-shown 0', 'requestbody'],
  ['a repeated word', 'not-shown-words', `${notShown} 0`, 'mediaType', `${notShown} 3`],
  ['a schema for a hidden body', 'not-shown-bodies', 'createPassword requestBody', { content: { [JSON_TYPE]: {} } }],
  ['an unlisted hidden body', 'not-shown-bodies', `${code} x-not-shown`, ['mediaType'], code],
  ['a schema for a hidden name-only body', 'not-shown-bodies', 'getAccountDetails x-response-schema', {}],
  ['a token without an operation', 'token-known', `${scheme} bearer x-token grant operationId`, 'fetchToken'],
  ['a second scheme with tokens', 'token-known', `${scheme} other`, second, `${scheme} other x-token`],
  ['a second parameter for the tenant', 'tenant-once', 'components parameters userId x-tenant', true],
  ['a removal of a resource that is not in the path', 'created-known', 'activateCard x-removes', 'accountId'],
  ['a creation of nothing', 'created-known', 'createUser x-creates', ''],
  ['a creation by a read', 'created-known', 'getCard x-creates', 'cardId'],
  ['an invalid condition name', 'condition-named', `${token} x-only-when`, 'cardType = PHYSICAL'],
  ['a maximum that is a string', 'limit-per-currency', `${daily} x-maximum-by-currency`, { GBP: '100000.00' }],
  ['two rules with the same id', 'rule-stated', 'issueNewCard x-rules', [rule, rule]],
  ['a declared pair of paths that is not ambiguous', 'ambiguous-paths', 'x-ambiguous-paths 0', noPair],
  ['an undeclared ambiguous pair', 'ambiguous-paths', 'x-ambiguous-paths 0', noPair, `paths ${CARDS}`],
  ['an example that contradicts its schema', 'example-invalid', 'Token properties expires_in examples 0', '3599'],
  ['an example that only 2020-12 rejects', 'example-invalid', 'Client', newer, 'Client example'],
  ['a default that contradicts its schema', 'example-invalid', `${visible} default`, 'true'],
  ['a media type example that contradicts its schema', 'example-invalid', aliased, { cardLimitDaily: '5' }],
  ['an if without a then', 'schema-odd', 'Account if', {}, 'Account'],
  [
    'a property that matches a pattern as well',
    'schema-odd',
    'Transaction patternProperties',
    { '^p': { type: 'string' } },
    'Transaction',
  ],
];

describe('lint', () => {
  it('lint finds no mistake in the shipped contract', async () => {
    expect(await lintContract(contract)).toEqual([]);
  });

  describe('lint of a document with one mistake of each kind', () => {
    let problems: readonly LintProblem[];

    // All at once, because each run takes half a second: the mistakes are at different places.
    beforeAll(async () => {
      problems = await lintWith(...FAULTS.map(([, , place, value]) => [place, value] as const));
    });

    for (const [what, rule, place, , at = place] of FAULTS) {
      it(`lint reports ${what} (${rule}), at its place`, () => {
        const pointers = problems.filter((problem) => problem.rule === rule).map(({ pointer }) => pointer);
        expect(pointers).toContain(pointerOf(at));
      });
    }
  });

  it('lint explains how to add Spectral if it is not installed', () => {
    expect(() => requireEngine('file:///nowhere/lint.js')).toThrow(
      expect.objectContaining({ code: 'engine-missing', hint: expect.stringContaining('npm ci') }),
    );
  });

  it('lint reports a document that is not OpenAPI', async () => {
    const problems = await lintWith(['info title', undefined]);
    expect(problems.map(({ rule }) => rule)).toContain('oas3-schema');
  });

  it('lint accepts a webhook with a documented method, and an operation that only redirects', async () => {
    const webhook = { ...invented, summary: 'Lost', post: { responses: { '200': invented } } };
    const redirect = { get: { ...invented, operationId: 'follow', responses: { '302': invented } } };
    const problems = await lintWith(['webhooks card-lost', webhook], ['paths /old', redirect]);
    expect(problems.filter(({ rule }) => /^(?:name-only-without-method|documented-statuses)$/.test(rule))).toEqual([]);
  });

  it('lint reports file, line and column of the source', async () => {
    const problems = await lintWith([`${token} x-since`, '9.9.9']);
    expect(problems).toMatchObject([
      {
        rule: 'release-known',
        severity: 'error',
        pointer: '/components/schemas/Card/properties/token/x-since',
        place: { file: 'spec/schemas/card.yaml' },
      },
    ]);
    expect(problems[0]?.place.line).toBeGreaterThan(1);
    expect(problems[0]?.place.column).toBeGreaterThan(1);
  });

  it('lint ignores additions of a recording for rules about documented facts', async () => {
    const seen = `  - target: $.paths['${contract.operation('getCard')?.path}'].get.responses\n    update: { '404': { description: Seen. } }\n`;
    const recorded = (provenance: string) => loadContract({ overlays: [overlay(provenance, seen)] });
    expect(await lintContract(await recorded('observed'))).toEqual([]);
    expect(await lintContract(await recorded('documented'))).not.toEqual([]);
  });

  it('lint warns about an overlay action that has a target alone', async () => {
    const actions = '  - target: $.info\n    description: Later.\n  - target: $.nowhere\n';
    const linted = await loadContract({ overlays: [overlay('observed', actions)] });
    expect(linted.document).toEqual(contract.document);
    const message = 'The action has a target alone, so it changes nothing.';
    const warning = { rule: 'overlay-action-odd', severity: 'warning', message };
    expect(await lintContract(linted)).toMatchObject(
      [warning, warning].map((one, index) => ({ ...one, place: { line: 5 + 2 * index } })),
    );
  });

  it('lint fails for an overlay target that matches nothing, but not for a notice about a changed fact', async () => {
    const place = { file: 'my.overlay.yaml', line: 7, column: 5 };
    const problems = await lintContract({
      ...contract,
      notices: [
        { code: 'overlay-target-unmatched', message: 'The target matches nothing.', place },
        { code: 'overlay-changes-documented', message: 'It changes a documented fact.', place },
      ],
    });
    expect(problems).toEqual([
      {
        rule: 'overlay-target-unmatched',
        severity: 'error',
        message: 'The target matches nothing.',
        pointer: null,
        place,
      },
    ]);
  });
});
