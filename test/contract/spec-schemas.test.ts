import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { Json } from '../../src/schema/json.ts';
import { readLedger } from './ledger-homes.ts';

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

const FIELD = /^#\/components\/schemas\/\w+\/properties\/\w+$/;
const token = { access_token: 'a.b.c', expires_in: 3599, jti: 'x', scope: '', token_type: 'bearer' };

describe('schemas', () => {
  it('schemas have the names of the resources in the reference', () => {
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
    expect(Object.keys(contract.at('/components/parameters') as object)).toEqual(
      'customerId clientId userId cardId currency visible'.split(' '),
    );
  });

  it('schemas contain every field of the tables with its type', () => {
    // The tables as quoted by the ledger. The ledger test proves that the spec has no other field.
    const fields = readLedger().rows.flatMap(({ statement, home }) => {
      const [, type] = /^[\w.]+ \| (string|integer|number|boolean|object) \|/.exec(statement) ?? [];
      return type === undefined ? [] : home.filter((one) => FIELD.test(one)).map((one) => [one.slice(1), type]);
    });
    expect(fields.length).toBeGreaterThan(30);
    for (const [pointer = '', type] of fields) {
      const schema = contract.at(pointer) as { type?: string; $ref?: string };
      const target = schema.$ref === undefined ? schema : (contract.at(schema.$ref.slice(1)) as typeof schema);
      expect([pointer, target.type]).toEqual([pointer, type]);
    }
  });

  it('schemas require only the five fields of a token response', () => {
    const required = Object.entries(contract.at('/components/schemas') as Record<string, { required?: Json }>)
      .filter(([, schema]) => schema.required !== undefined)
      .map(([name, schema]) => [name, schema.required]);
    expect(required).toEqual([['Token', ['access_token', 'expires_in', 'jti', 'scope', 'token_type']]]);
  });

  it('schemas accept fields that the reference does not list', () => {
    for (const name of Object.keys(contract.at('/components/schemas') as object)) {
      const valid = validator(name)({ ...(name === 'Token' ? token : {}), notListed: { any: ['thing'] } });
      expect(valid, name).toBe(true);
    }
  });

  it.each(['bearer', 'Bearer', 'BEARER', 'bEaReR'])('token_type %s is accepted as bearer in any case', (token_type) => {
    expect(validator('Token')({ ...token, token_type })).toBe(true);
  });

  it('the card limits have the maxima of the table, only in the request of Issue new card', () => {
    const maxima = (name: string, field: string) =>
      contract.at(`/components/schemas/${name}/properties/${field}/x-maximum-by-currency`);
    expect(maxima('IssueNewCardRequest', 'cardLimitDaily')).toEqual({ GBP: 100000, EUR: 115000 });
    expect(maxima('IssueNewCardRequest', 'cardLimitMonthly')).toEqual({ GBP: 250000, EUR: 290000 });
    expect(maxima('IssueNewCardRequest', 'cardLimitTransaction')).toEqual({ GBP: 100000, EUR: 115000 });
    expect(maxima('Card', 'cardLimitDaily')).toBeUndefined();
  });

  it('visible defaults to true in the request of Create new beneficiary, and has no default in a response', () => {
    expect(contract.at('/components/schemas/CreateNewBeneficiaryRequest/properties/visible/default')).toBe(true);
    expect(contract.at('/components/schemas/Beneficiary/properties/visible/default')).toBeUndefined();
  });

  it('conditions for the presence or meaning of a field are machine-readable', () => {
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
  it('the document has the card-updated notification, without method and payload', () => {
    const webhooks = contract.at('/webhooks') as Record<string, Record<string, Json>>;
    expect(Object.keys(webhooks)).toEqual(['card-updated']);
    expect(webhooks['card-updated']).toMatchObject({ 'x-since': '22.2.0', 'x-reference': 'Events' });
    expect(Object.keys(webhooks['card-updated'] ?? {}).filter((key) => ['post', 'put', 'get'].includes(key))).toEqual(
      [],
    );
  });

  it('the document separates release numbers from documentation versions, in the order of the reference', () => {
    const releases = contract.at('/info/x-releases') as { release: string }[];
    expect(releases.map(({ release }) => release)).toEqual(
      '2.2.0 1.10.0 1.7.0 1.1.0 28.0.0 27.0.0 24.1.0 24.0.0 22.3.0 22.2.0'.split(' '),
    );
    expect(contract.at('/info/version')).toBe('1.1');
    expect(contract.at('/info/x-documentation-versions')).toMatchObject({
      described: '1.1',
      later: '2.10',
      billing: { current: '4.0', older: '3.0' },
    });
  });

  it('the document has Basic and bearer authentication, and no server address', () => {
    expect(Object.keys(contract.at('/components/securitySchemes') as object)).toEqual(['basic', 'bearer']);
    expect(contract.at('/servers')).toMatchObject([{ url: '/' }]);
    expect(JSON.stringify(contract.document)).not.toMatch(/https?:\/\/(?!json-schema\.org)/);
  });
});
