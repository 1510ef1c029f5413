import { type Change, firstWhole, type Kind } from './change.ts';
import { bodyOf } from './edits.ts';
import type { Body } from './world.ts';

/** A client with a further field, which is recorded with these facts. */
function client(name: string, facts: string, sent: unknown, ...finds: string[]): Change {
  const overlay = `  - target: $.paths['/core/api/customers/{customerId}/clients/{clientId}'].get.responses['200'].content['application/json'].schema
    update: { properties: { more: ${facts} } }
`;
  return { ...bodyOf.getClient(name, (one: Body) => ({ ...one, more: sent }), ...finds), overlay };
}

const object = (records: number, members: Readonly<Record<string, string>>): string => {
  const properties = Object.entries(members).map(([name, schema]) => `${name}: ${schema}`);
  return `{ type: object, x-seen: { records: ${records} }, required: [${Object.keys(members).join()}], properties: { ${properties.join()} } }`;
};
const TEXT = '{ type: string }';
const HOME = object(2, { street: TEXT, city: TEXT });
const CODES = { R014: object(1, { rate: '{ type: number }' }), R377: object(1, { rate: '{ type: number }' }) };
const NAMES = { billing: HOME, shipping: HOME };
const LIST = `{ type: array, items: ${object(1, { reference: TEXT, net: '{ type: number }' })} }`;

const home = { street: 'x', city: 'y' };
const payouts = [{ reference: 'x', net: 1.5 }];

export const RECORDS: Kind = {
  kind: 'a field that is always there needs two records',
  changes: firstWhole([
    client('one record had a field', object(1, { salutation: TEXT, suffix: TEXT, since: TEXT }), {
      since: 'x',
      suffix: 'y',
    }),
    client(
      'two records had a field',
      object(2, { salutation: TEXT, suffix: TEXT, since: TEXT }),
      { since: 'x', suffix: 'y' },
      'warning required-missing /more/salutation',
    ),
    client(
      'a list of an envelope is missing',
      object(1, { payouts: LIST, total: '{ type: integer }' }),
      { total: 0 },
      'warning required-missing /more/payouts',
    ),
    client(
      'a list of an envelope has another name',
      object(1, { payouts: LIST, total: '{ type: integer }' }),
      { rows: payouts, total: 1 },
      'warning fields-renamed /more',
    ),
    client(
      'an envelope is new around the members of one record',
      object(1, { payouts: LIST, total: '{ type: integer }' }),
      { data: { payouts, total: 1 } },
      'warning fields-moved /more',
    ),
    client(
      'the members of one record have other names and values',
      object(1, { salutation: TEXT, suffix: TEXT, since: '{ type: integer }' }),
      { title: true, tail: [] },
      'warning object-replaced /more',
    ),
  ]),
};

export const KEYS: Kind = {
  kind: 'keys of a possible map are additions, other names are not',
  changes: firstWhole([
    client(
      'other codes as keys',
      object(5, CODES),
      { R555: { rate: 1.5 }, R014: { rate: 2.5 } },
      'warning unrecorded-field /more/R555',
    ),
    client('fewer codes', object(5, CODES), { R377: { rate: 1 } }),
    client(
      'a value under a code has another type',
      object(5, CODES),
      { R014: { rate: 'x' }, R377: { rate: 1 } },
      'warning type-contradicted /more/R014/rate',
    ),
    client(
      'other names of alike objects, recorded once',
      object(1, NAMES),
      { invoice: home, delivery: home },
      'warning unrecorded-field /more/invoice',
      'warning unrecorded-field /more/delivery',
    ),
    client(
      'other names of alike objects, recorded often',
      object(9, NAMES),
      { invoice: home, delivery: home },
      'warning object-replaced /more',
    ),
    client(
      'all names have another style, recorded once',
      object(1, { homeAddress: HOME, workAddress: HOME }),
      { home_address: home, work_address: home },
      'warning fields-renamed /more',
    ),
    client(
      'the members of one record have other names',
      object(1, { home: HOME, payouts: LIST }),
      { residence: home, transfers: payouts },
      'warning fields-renamed /more',
      'warning fields-renamed /more',
    ),
  ]),
};
