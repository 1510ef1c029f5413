import { beforeAll, describe, expect, it } from 'vitest';
import type { Contract } from '../../src/spec/contract.ts';
import { type LintProblem, lintContract } from '../../src/spec/lint.ts';
import { loadContract } from '../../src/spec/load.ts';

type Draft = { [key: string]: unknown };

let contract: Contract;

beforeAll(async () => {
  contract = await loadContract();
});

/** Lints the contract with one member of its document changed; `undefined` takes it away. */
async function lintWith(path: readonly (string | number)[], value: unknown): Promise<LintProblem[]> {
  const document = structuredClone(contract.document) as Draft;
  let node = document;
  for (const key of path.slice(0, -1)) {
    node[key] ??= {};
    node = node[key] as Draft;
  }
  const last = path.at(-1) ?? '';
  if (value === undefined) delete node[last];
  else node[last] = value;
  return lintContract({ ...contract, document: document as Contract['document'] });
}

const getCard = ['paths', '/wallet/api/customers/{customerId}/cards/{cardId}', 'get'];
const createUser = ['paths', '/iam/api/customers/{customerId}/clients/{clientId}/users/create', 'post'];
const oldFees = ['paths', '/wallet/api/customers/{customerId}/clients/{clientId}/transactions/fees', 'get'];
const card = ['components', 'schemas', 'Card'];

describe('lint', () => {
  it('finds nothing wrong with the contract as it ships', async () => {
    expect(await lintContract(contract)).toEqual([]);
  });

  it.each<[string, string, readonly (string | number)[], unknown]>([
    ['an operation without operationId', 'operation-id-known', [...getCard, 'operationId'], undefined],
    ['an operation that the reference does not know', 'operation-id-known', [...getCard, 'operationId'], 'fetchCard'],
    ['an operation without x-reference', 'reference-present', [...getCard, 'x-reference'], undefined],
    ['a field without x-reference', 'reference-present', [...card, 'properties', 'token', 'x-reference'], undefined],
    ['a response without x-reference', 'reference-present', [...getCard, 'responses', '2XX', 'x-reference'], undefined],
    ['a release that YAML read as a number', 'release-known', [...createUser, 'x-since'], 1.1],
    ['a release that is none', 'release-known', [...createUser, 'x-since'], '2.10'],
    ['a deprecated operation without successor', 'successor-exists', [...oldFees, 'x-successor'], undefined],
    ['a successor that is not there', 'successor-exists', [...oldFees, 'x-successor', 'operationId'], 'getFees'],
    ['a change of method that is not told', 'successor-exists', [...oldFees, 'x-successor', 'methodChange'], undefined],
    [
      'a successor of what is not deprecated',
      'successor-exists',
      [...getCard, 'x-successor'],
      { operationId: 'getCard' },
    ],
    [
      'a success status',
      'documented-statuses',
      [...getCard, 'responses', '200'],
      { description: 'OK', 'x-reference': 'x' },
    ],
    [
      'an error status',
      'documented-statuses',
      [...getCard, 'responses', '404'],
      { description: 'No', 'x-reference': 'x' },
    ],
    ['an error body', 'documented-statuses', ['components', 'responses', 'Unauthorized', 'content'], {}],
    [
      'a name-only operation with a method',
      'name-only-without-method',
      ['components', 'pathItems', 'getClient', 'get'],
      { responses: {} },
    ],
    [
      'a notification with a method',
      'name-only-without-method',
      ['webhooks', 'card-updated', 'post'],
      { responses: {} },
    ],
    ['a word outside the vocabulary', 'not-shown-words', [...getCard, 'x-not-shown', 0], 'requestbody'],
    ['a word said twice', 'not-shown-words', [...getCard, 'x-not-shown', 0], 'mediaType'],
    [
      'a schema for a body that is not shown',
      'not-shown-bodies',
      [...createUser, 'requestBody'],
      { content: { 'application/json': {} }, 'x-reference': 'x' },
    ],
    ['a body without schema that is not listed', 'not-shown-bodies', [...createUser, 'x-not-shown'], ['mediaType']],
    [
      'a schema for a name-only body that is not shown',
      'not-shown-bodies',
      ['components', 'pathItems', 'getAccountDetails', 'x-response-schema'],
      {},
    ],
    ['an operation without effect', 'effect-known', [...getCard, 'x-effect'], undefined],
    ['an effect that is none', 'effect-known', ['components', 'pathItems', 'getClient', 'x-effect'], 'harmless'],
    ['a pair of ambiguous paths that is not declared', 'ambiguous-paths', ['x-ambiguous-paths'], []],
    [
      'a declared pair that is none',
      'ambiguous-paths',
      ['x-ambiguous-paths', 3],
      { paths: ['/iam/oauth/token', '/none'] },
    ],
    [
      'an example that contradicts its schema',
      'example-invalid',
      ['components', 'schemas', 'Token', 'properties', 'expires_in', 'examples'],
      ['3599'],
    ],
    [
      'an example that only 2020-12 refuses',
      'example-invalid',
      card,
      { type: 'object', dependentRequired: { a: ['b'] }, example: { a: 1 }, 'x-reference': 'x' },
    ],
    [
      'a default that contradicts its schema',
      'example-invalid',
      ['components', 'schemas', 'CreateNewBeneficiaryRequest', 'properties', 'visible', 'default'],
      'true',
    ],
    [
      'a media type example that contradicts its schema',
      'example-invalid',
      [...getCard, 'responses', '2XX', 'content', 'application/json', 'example'],
      { cardLimitDaily: '5' },
    ],
    ['a pattern that does not compile', 'schema-invalid', [...card, 'properties', 'token', 'pattern'], '('],
    ['a keyword that is none', 'schema-invalid', [...card, 'properties', 'token', 'minlength'], 3],
    ['a format that nobody knows', 'schema-invalid', [...card, 'properties', 'token', 'format'], 'card-token'],
    ['a document that is no OpenAPI', 'oas3-schema', ['info', 'title'], undefined],
  ])('notices %s', async (_what, rule, path, value) => {
    expect(new Set((await lintWith(path, value)).map((problem) => problem.rule))).toContain(rule);
  });

  it('says where: file, line and column of the source', async () => {
    const problems = await lintWith([...card, 'properties', 'token', 'x-since'], '9.9.9');
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

  it('leaves what a recording adds alone, where the rule is about documented facts', async () => {
    const pointer = [...getCard, 'responses', '404'];
    const document = structuredClone(contract.document) as Draft;
    const responses = [...getCard, 'responses'].reduce<Draft>((node, key) => node[key] as Draft, document);
    responses['404'] = { description: 'Seen' };
    const recorded: Contract = {
      ...contract,
      document: document as Contract['document'],
      provenanceOf: (at) => (at.includes('/responses/404') ? 'observed' : 'documented'),
    };
    expect(await lintContract(recorded)).toEqual([]);
    expect(await lintWith(pointer, { description: 'Seen' })).not.toEqual([]);
  });

  it('fails for an overlay target that matches nothing, at its place, and not for a note about a changed fact', async () => {
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
