import { beforeAll, describe, expect, it } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { type LintProblem, lintContract } from '../../src/contract/lint/lint.ts';
import { requireEngine } from '../../src/contract/lint/spectral.ts';
import { loadContract } from '../../src/contract/load.ts';
import { joinPointer } from '../../src/text/pointer.ts';

type Draft = { [key: string]: unknown };

let contract: Contract;

beforeAll(async () => {
  contract = await loadContract();
});

type Path = readonly (string | number)[];

/** Lints the contract with members of its document changed; `undefined` takes one away. */
async function lintWith(...changes: readonly (readonly [path: Path, value: unknown])[]): Promise<LintProblem[]> {
  const document = structuredClone(contract.document) as Draft;
  for (const [path, value] of changes) {
    let node = document;
    for (const key of path.slice(0, -1)) {
      node[key] ??= {};
      node = node[key] as Draft;
    }
    const last = path.at(-1) ?? '';
    if (value === undefined) delete node[last];
    else node[last] = value;
  }
  return lintContract({ ...contract, document: document as Contract['document'] });
}

/** The path of an operation in the document. */
function op(operationId: string, ...below: Path): Path {
  const paths = {
    createUser: ['/iam/api/customers/{customerId}/clients/{clientId}/users/create', 'post'],
    createUsername: ['/iam/api/customers/{customerId}/clients/{clientId}/users/{userId}/credentials/username', 'post'],
    createSecurityCode: [
      '/iam/api/customers/{customerId}/clients/{clientId}/users/{userId}/credentials/securityCode',
      'post',
    ],
    createPassword: ['/iam/api/customers/{customerId}/clients/{clientId}/users/{userId}/credentials/password', 'post'],
    generateCustomerKey: ['/iam/api/customers/{customerId}/credentials/generateCustomerKey', 'post'],
    getCardFees: ['/billing/api/customers/{customerId}/client/{clientId}/card/fees/{currency}', 'get'],
    getAccountFees: ['/billing/api/customers/{customerId}/client/{clientId}/account/fees/{currency}', 'get'],
    getTransactionFees: ['/billing/api/customers/{customerId}/clients/{clientId}/transactions/fees', 'post'],
    oldCardFees: ['/iam/api/customers/{customerId}/client/{clientId}/card/fees/{currency}', 'get'],
    oldAccountFees: ['/wallet/api/customers/{customerId}/client/{clientId}/account/fees/{currency}', 'get'],
    oldTransactionFees: ['/wallet/api/customers/{customerId}/clients/{clientId}/transactions/fees', 'get'],
    getCard: ['/wallet/api/customers/{customerId}/cards/{cardId}', 'get'],
    deleteCard: ['/wallet/api/customers/{customerId}/cards/{cardId}', 'delete'],
    listClientCards: ['/wallet/api/customers/{customerId}/clients/{clientId}/cards', 'get'],
    updateCard: ['/wallet/api/customers/{customerId}/{clientId}/card/{cardId}', 'put'],
    updateCardAlias: ['/wallet/api/customers/{customerId}/{clientId}/card/{cardId}/updateAlias', 'put'],
    suspendCard: ['/wallet/api/customers/{customerId}/cards/{cardId}/suspend', 'put'],
    activateCard: ['/wallet/api/customers/{customerId}/cards/{cardId}/activate', 'put'],
  } as const;
  return ['paths', ...paths[operationId as keyof typeof paths], ...below];
}

function schema(name: string, ...below: Path): Path {
  return ['components', 'schemas', name, ...below];
}

function nameOnly(operationId: string, ...below: Path): Path {
  return ['components', 'pathItems', operationId, ...below];
}

const invented = { description: 'x', 'x-reference': 'x' };

/** What is done to the document, the rule that must notice it, and where: at the change unless said otherwise. */
const FAULTS: readonly (readonly [what: string, rule: string, path: Path, value: unknown, at?: Path])[] = [
  [
    'an operation without operationId',
    'operation-id-known',
    op('listClientCards', 'operationId'),
    undefined,
    op('listClientCards'),
  ],
  ['an operation that the reference does not know', 'operation-id-known', op('getCard', 'operationId'), 'fetchCard'],
  [
    'an operation without x-reference',
    'reference-present',
    op('suspendCard', 'x-reference'),
    undefined,
    op('suspendCard'),
  ],
  [
    'a field without x-reference',
    'reference-present',
    schema('Card', 'properties', 'token', 'x-reference'),
    undefined,
    schema('Card', 'properties', 'token'),
  ],
  [
    'a response without x-reference',
    'reference-present',
    op('activateCard', 'responses', '2XX', 'x-reference'),
    undefined,
    op('activateCard', 'responses', '2XX'),
  ],
  ['a release that YAML read as a number', 'release-known', op('createUser', 'x-since'), 1.1],
  ['a release that is none', 'release-known', op('createUsername', 'x-since'), '2.10'],
  [
    'a deprecated operation without successor',
    'successor-exists',
    op('oldCardFees', 'x-successor'),
    undefined,
    op('oldCardFees'),
  ],
  ['a successor that is not there', 'successor-exists', op('oldAccountFees', 'x-successor', 'operationId'), 'getFees'],
  [
    'a change of method that is not told',
    'successor-exists',
    op('oldTransactionFees', 'x-successor', 'methodChange'),
    undefined,
    op('oldTransactionFees', 'x-successor'),
  ],
  [
    'a successor of what is not deprecated',
    'successor-exists',
    op('updateCard', 'x-successor'),
    { operationId: 'getCard' },
  ],
  ['a success status', 'documented-statuses', op('deleteCard', 'responses', '200'), invented],
  ['an error status', 'documented-statuses', op('getCardFees', 'responses', '404'), invented],
  ['an error body', 'documented-statuses', ['components', 'responses', 'Unauthorized', 'content'], {}],
  ['a name-only operation with a method', 'name-only-without-method', nameOnly('getClient', 'get'), { responses: {} }],
  ['a notification with a method', 'name-only-without-method', ['webhooks', 'card-updated', 'post'], { responses: {} }],
  ['a word outside the vocabulary', 'not-shown-words', op('getAccountFees', 'x-not-shown', 0), 'requestbody'],
  [
    'a word said twice',
    'not-shown-words',
    op('getTransactionFees', 'x-not-shown', 0),
    'mediaType',
    op('getTransactionFees', 'x-not-shown', 3),
  ],
  [
    'a schema for a body that is not shown',
    'not-shown-bodies',
    op('createPassword', 'requestBody'),
    { content: { 'application/json': {} } },
  ],
  [
    'a body without schema that is not listed',
    'not-shown-bodies',
    op('createSecurityCode', 'x-not-shown'),
    ['mediaType'],
    op('createSecurityCode'),
  ],
  [
    'a schema for a name-only body that is not shown',
    'not-shown-bodies',
    nameOnly('getAccountDetails', 'x-response-schema'),
    {},
  ],
  [
    'an operation without effect',
    'effect-known',
    op('generateCustomerKey', 'x-effect'),
    undefined,
    op('generateCustomerKey'),
  ],
  ['an effect that is none', 'effect-known', nameOnly('getClients', 'x-effect'), 'harmless'],
  [
    'a token of an operation that is not there',
    'token-known',
    ['components', 'securitySchemes', 'bearer', 'x-token', 'grant', 'operationId'],
    'fetchToken',
  ],
  [
    'a second scheme that says how tokens are had',
    'token-known',
    ['components', 'securitySchemes', 'other'],
    { type: 'http', scheme: 'bearer', 'x-token': {} },
    ['components', 'securitySchemes', 'other', 'x-token'],
  ],
  ['a second parameter for the tenant', 'tenant-once', ['components', 'parameters', 'userId', 'x-tenant'], true],
  ['a removal of what its path does not name', 'created-known', op('activateCard', 'x-removes'), 'accountId'],
  ['a creation of nothing', 'created-known', op('createUser', 'x-creates'), ''],
  ['a creation by a read', 'created-known', op('getCard', 'x-creates'), 'cardId'],
  [
    'a condition that is no name',
    'condition-named',
    schema('Card', 'properties', 'token', 'x-only-when'),
    'cardType = PHYSICAL',
  ],
  [
    'a maximum that is a text',
    'limit-per-currency',
    schema('IssueNewCardRequest', 'properties', 'cardLimitDaily', 'x-maximum-by-currency'),
    { GBP: '100000.00' },
  ],
  [
    'two rules of one id',
    'rule-stated',
    ['paths', '/wallet/api/customers/{customerId}/cards', 'post', 'x-rules'],
    [
      { id: 'a', statement: 'A.' },
      { id: 'a', statement: 'B.' },
    ],
  ],
  [
    'a declared pair of paths that is not ambiguous',
    'ambiguous-paths',
    ['x-ambiguous-paths', 0],
    { paths: ['/iam/oauth/token', '/none'] },
  ],
  [
    'an ambiguous pair that is not declared',
    'ambiguous-paths',
    ['x-ambiguous-paths', 0],
    { paths: ['/iam/oauth/token', '/none'] },
    op('listClientCards').slice(0, 2),
  ],
  [
    'an example that contradicts its schema',
    'example-invalid',
    schema('Token', 'properties', 'expires_in', 'examples', 0),
    '3599',
  ],
  [
    'an example that only 2020-12 refuses',
    'example-invalid',
    schema('Client'),
    { ...invented, dependentRequired: { a: ['b'] }, example: { a: 1 } },
    schema('Client', 'example'),
  ],
  [
    'a default that contradicts its schema',
    'example-invalid',
    schema('CreateNewBeneficiaryRequest', 'properties', 'visible', 'default'),
    'true',
  ],
  [
    'a media type example that contradicts its schema',
    'example-invalid',
    op('updateCardAlias', 'responses', '2XX', 'content', 'application/json', 'example'),
    { cardLimitDaily: '5' },
  ],
  [
    'a pattern that does not compile',
    'schema-invalid',
    schema('Account', 'properties', 'ibanForSwift', 'pattern'),
    '(',
    schema('Account'),
  ],
  [
    'a keyword that is none',
    'schema-invalid',
    schema('Beneficiary', 'properties', 'aba', 'minlength'),
    3,
    schema('Beneficiary'),
  ],
  [
    'a format that nobody knows',
    'schema-invalid',
    schema('Transaction', 'properties', 'purposeCode', 'format'),
    'code',
    schema('Transaction'),
  ],
];

function pointer(path: Path): string {
  return joinPointer('', ...path);
}

describe('lint', () => {
  it('finds nothing wrong with the contract as it ships', async () => {
    expect(await lintContract(contract)).toEqual([]);
  });

  describe('of a document with one fault of each kind', () => {
    let problems: readonly LintProblem[];

    // All at once, as each run costs half a second: the faults stand at different places.
    beforeAll(async () => {
      problems = await lintWith(...FAULTS.map(([, , path, value]) => [path, value] as const));
    });

    for (const [what, rule, path, , at] of FAULTS) {
      it(`notices ${what}, at its place`, () => {
        const pointers = problems.filter((problem) => problem.rule === rule).map((problem) => problem.pointer);
        expect(pointers).toContain(pointer(at ?? path));
      });
    }
  });

  it('says how to add Spectral where it is not installed', () => {
    expect(() => requireEngine('file:///nowhere/lint.js')).toThrow(
      expect.objectContaining({ code: 'engine-missing', hint: expect.stringContaining('npm ci') }),
    );
  });

  it('notices a document that is no OpenAPI', async () => {
    const problems = await lintWith([['info', 'title'], undefined]);
    expect(problems.map(({ rule }) => rule)).toContain('oas3-schema');
  });

  it('says where: file, line and column of the source', async () => {
    const problems = await lintWith([schema('Card', 'properties', 'token', 'x-since'), '9.9.9']);
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
    const document = structuredClone(contract.document) as Draft;
    const responses = op('getCard', 'responses').reduce<Draft>((node, key) => node[key] as Draft, document);
    responses['404'] = { description: 'Seen' };
    const recorded: Contract = {
      ...contract,
      document: document as Contract['document'],
      provenanceOf: (at) => (at.includes('/responses/404') ? 'observed' : 'documented'),
    };
    expect(await lintContract(recorded)).toEqual([]);
    expect(await lintWith([op('getCard', 'responses', '404'), { description: 'Seen' }])).not.toEqual([]);
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
