import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Contract, Json } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';

let contract: Contract;
let ajv: Ajv2020;

beforeAll(async () => {
  contract = await loadContract();
  ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
});

function validator(name: string): ValidateFunction {
  const { components } = contract.document;
  return ajv.compile({ $ref: `#/components/schemas/${name}`, components } as object);
}

function fieldsOf(name: string): Record<string, unknown> {
  const properties = contract.at(`/components/schemas/${name}/properties`) as Record<
    string,
    { type?: string; $ref?: string }
  >;
  return Object.fromEntries(Object.entries(properties).map(([field, { type, $ref }]) => [field, type ?? $ref]));
}

const token = { access_token: 'a.b.c', expires_in: 3599, jti: 'x', scope: '', token_type: 'bearer' };

describe('schemas', () => {
  it('are named as the reference names the resources', () => {
    expect(Object.keys(contract.at('/components/schemas') as object).sort()).toEqual([
      'Account',
      'Beneficiary',
      'Card',
      'Client',
      'CreateNewBeneficiaryRequest',
      'IssueNewCardRequest',
      'PaymentProviderDetails',
      'Token',
      'Transaction',
    ]);
    expect(Object.keys(contract.at('/components/parameters') as object)).toEqual([
      'customerId',
      'clientId',
      'userId',
      'cardId',
      'currency',
      'visible',
    ]);
  });

  it('hold every field of the tables with its type, and no other field', () => {
    expect(fieldsOf('Token')).toEqual({
      access_token: 'string',
      expires_in: 'integer',
      jti: 'string',
      scope: 'string',
      token_type: 'string',
    });
    expect(fieldsOf('Account')).toEqual({
      wireRoutingNumber: 'string',
      achRoutingNumber: 'string',
      ibanForSwift: 'string',
    });
    expect(fieldsOf('Client')).toEqual({ paymentProvider: 'string' });
    expect(fieldsOf('Transaction')).toEqual({
      purposeCode: 'string',
      paymentProviderDetails: '#/components/schemas/PaymentProviderDetails',
    });
    expect(fieldsOf('PaymentProviderDetails')).toEqual({
      shortReference: 'string',
      internalReference: 'string',
      paymentId: 'string',
      conversionId: 'string',
      rate: 'number',
      settlementDate: 'string',
    });
    expect(fieldsOf('Beneficiary')).toEqual({
      aba: 'string',
      clabe: 'string',
      ifsc: 'string',
      cnaps: 'string',
      visible: 'boolean',
    });
    expect(fieldsOf('CreateNewBeneficiaryRequest')).toEqual({ visible: 'boolean' });
    const card = {
      cardProgramme: 'string',
      cardDesign: 'string',
      cardLimitDaily: 'integer',
      cardLimitMonthly: 'integer',
      cardLimitTransaction: 'integer',
    };
    expect(fieldsOf('IssueNewCardRequest')).toEqual(card);
    expect(fieldsOf('Card')).toEqual({ ...card, token: 'string' });
  });

  it('require a field only where the reference says that it is there: the five of a token response', () => {
    const required = Object.entries(contract.at('/components/schemas') as Record<string, { required?: Json }>)
      .filter(([, schema]) => schema.required !== undefined)
      .map(([name, schema]) => [name, schema.required]);
    expect(required).toEqual([['Token', ['access_token', 'expires_in', 'jti', 'scope', 'token_type']]]);
  });

  it('let fields pass that the reference does not list', () => {
    for (const name of Object.keys(contract.at('/components/schemas') as object)) {
      const valid = validator(name)({ ...(name === 'Token' ? token : {}), notListed: { any: ['thing'] } });
      expect(valid, name).toBe(true);
    }
  });

  it.each(['bearer', 'Bearer', 'BEARER', 'bEaReR'])('token_type %s is bearer, whatever its case', (token_type) => {
    expect(validator('Token')({ ...token, token_type })).toBe(true);
  });

  it.each<[string, object]>([
    ['another token_type', { token_type: 'mac' }],
    ['a token_type that only begins so', { token_type: 'bearer ' }],
    ['expires_in as text', { expires_in: '3599' }],
    ['a fraction as expires_in', { expires_in: 3599.5 }],
    ['a missing scope', { scope: undefined }],
  ])('a token response with %s contradicts the reference', (_what, change) => {
    const response = JSON.parse(JSON.stringify({ ...token, ...change })) as object;
    expect(validator('Token')(response)).toBe(false);
  });

  it.each(['2024-02-29T12:00:00Z', '2024-02-29t12:00:00z', '2024-02-29T12:00:00.123456Z', '2024-02-29T12:00:00+00:00'])(
    'settlementDate %s is a date-time in UTC',
    (settlementDate) => {
      expect(validator('Transaction')({ paymentProviderDetails: { settlementDate } })).toBe(true);
    },
  );

  it.each([
    '2024-02-31T12:00:00Z',
    '2023-02-29T12:00:00Z',
    '2024-02-29T25:00:00Z',
    '2024-02-29T12:00:00+01:00',
    '2024-02-29T12:00:00-00:00',
    '2024-02-29T12:00:00',
    '2024-02-29 12:00:00Z',
    '2024-02-29',
    '2024-02-29T12:00:00Z\n',
    '',
  ])('settlementDate %j is none', (settlementDate) => {
    expect(validator('Transaction')({ paymentProviderDetails: { settlementDate } })).toBe(false);
  });

  it('the card limits have the maxima of the table, on the request of Issue new card only', () => {
    const maxima = (name: string, field: string) =>
      contract.at(`/components/schemas/${name}/properties/${field}/x-maximum-by-currency`);
    expect(maxima('IssueNewCardRequest', 'cardLimitDaily')).toEqual({ GBP: 100000, EUR: 115000 });
    expect(maxima('IssueNewCardRequest', 'cardLimitMonthly')).toEqual({ GBP: 250000, EUR: 290000 });
    expect(maxima('IssueNewCardRequest', 'cardLimitTransaction')).toEqual({ GBP: 100000, EUR: 115000 });
    expect(maxima('Card', 'cardLimitDaily')).toBeUndefined();
  });

  it('visible is true by default in the request of Create new beneficiary, and has no default in a response', () => {
    expect(contract.at('/components/schemas/CreateNewBeneficiaryRequest/properties/visible/default')).toBe(true);
    expect(contract.at('/components/schemas/Beneficiary/properties/visible/default')).toBeUndefined();
  });

  it('say in a machine-readable way when a field is there or means something', () => {
    const extension = (pointer: string, name: string) => contract.at(`/components/schemas/${pointer}/${name}`);
    expect(extension('Card/properties/token', 'x-only-when')).toBe('physical');
    for (const field of ['Account/properties/wireRoutingNumber', 'Account/properties/achRoutingNumber']) {
      expect(extension(field, 'x-meaningful-when')).toBe('external-payment-provider');
    }
    for (const field of ['aba', 'clabe', 'ifsc', 'cnaps']) {
      expect(extension(`Beneficiary/properties/${field}`, 'x-meaningful-when')).toBe('external-payment-provider');
    }
  });
});

describe('the rest of the document', () => {
  it('names the card-updated notification, without method and payload', () => {
    const webhooks = contract.at('/webhooks') as Record<string, Record<string, Json>>;
    expect(Object.keys(webhooks)).toEqual(['card-updated']);
    expect(webhooks['card-updated']).toMatchObject({ 'x-since': '22.2.0', 'x-reference': 'Events' });
    expect(Object.keys(webhooks['card-updated'] ?? {}).filter((key) => ['post', 'put', 'get'].includes(key))).toEqual(
      [],
    );
  });

  it('keeps release numbers and documentation versions apart, as text and in the order of the reference', () => {
    const releases = contract.at('/info/x-releases') as { release: string }[];
    expect(releases.map(({ release }) => release)).toEqual([
      '2.2.0',
      '1.10.0',
      '1.7.0',
      '1.1.0',
      '28.0.0',
      '27.0.0',
      '24.1.0',
      '24.0.0',
      '22.3.0',
      '22.2.0',
    ]);
    expect(contract.at('/info/version')).toBe('1.1');
    expect(contract.at('/info/x-documentation-versions')).toMatchObject({
      described: '1.1',
      later: '2.10',
      billing: { current: '4.0', older: '3.0' },
    });
  });

  it('knows Basic and bearer as ways to authorise, and no address', () => {
    expect(Object.keys(contract.at('/components/securitySchemes') as object)).toEqual(['basic', 'bearer']);
    expect(contract.at('/servers')).toMatchObject([{ url: '/' }]);
    expect(JSON.stringify(contract.document)).not.toMatch(/https?:\/\/(?!json-schema\.org)/);
  });
});
