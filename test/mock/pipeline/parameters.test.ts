import { describe, expect, test } from 'vitest';
import type { OverlaySource } from '../../../src/contract/contract.ts';
import type { Mock } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { overlayOf } from '../../support/overlay.ts';
import { mockOfFile } from '../support/started.ts';

const ACCOUNTS = '/wallet/api/customers/c/accounts';
const operation = "$.paths['/wallet/api/customers/{customerId}/accounts'].get";

function overlay(update: object, provenance = 'documented'): OverlaySource {
  return overlayOf([{ target: operation, update }], provenance);
}

const schema = (type: string, more: object = {}): object => ({ schema: { type, ...more } });
const PARAMETERS = [
  { name: 'page', in: 'query', ...schema('integer', { minimum: 1 }) },
  { name: 'ratio', in: 'query', ...schema('number', { exclusiveMaximum: 1 }) },
  { name: 'open', in: 'query', ...schema('boolean') },
  { name: 'order', in: 'query', ...schema('string', { enum: ['asc', 'desc'] }) },
  { name: 'code', in: 'query', ...schema('string', { pattern: '^[0-9]{3}$' }) },
  { name: 'ids', in: 'query', ...schema('array', { items: { type: 'integer' }, maxItems: 2 }) },
  { name: 'tags', in: 'query', explode: false, ...schema('array', { items: { enum: ['a', 'b'] } }) },
  {
    name: 'filter',
    in: 'query',
    style: 'deepObject',
    ...schema('object', { properties: { min: { type: 'integer' } }, additionalProperties: false }),
  },
  { name: 'X-Branch', in: 'header', required: true, ...schema('integer') },
];

const options = { listen: false, anyToken: true, overlays: [overlay({ parameters: PARAMETERS })] };
const mock = await mockOfFile(options);
const prism = await mockOfFile({ ...options, engine: 'prism' });

async function ask(query: string, headers: Record<string, string> = { 'x-branch': '1' }, of = mock) {
  const answer = await of.fetch(`${ACCOUNTS}${query}`, { headers: { authorization: 'Bearer any', ...headers } });
  const body = (await answer.json()) as { type?: string; detail?: string; errors?: { in: string; name: string }[] };
  return { status: answer.status, warning: answer.headers.get('x-mock-warning'), body };
}

describe('parameters of an overlay', () => {
  test.each([
    ['', {}],
    ['', { 'x-branch': '1' }],
    ['', { 'x-branch': 'one' }],
    ...[
      ['page=1', 'page=0', 'page=x', 'page=1.5', 'page=', 'page=1&page=2', 'ratio=0.5', 'ratio=1', 'ratio=-1e-3'],
      ['open=true', 'open=false', 'open=maybe', 'order=asc', 'order=ASC', 'code=012', 'code=12'],
      ['ids=1', 'ids=1&ids=2', 'ids=x', 'tags=a', 'tags=a,b', 'tags=a,c'],
      ['filter[min]=1', 'filter[min]=x', 'page=2&open=true&order=desc'],
    ].flatMap((queries) => queries.map((query) => [`?${query}`, { 'x-branch': '7' }] as const)),
  ] as const)('%s with %o gets the same verdict as with Prism', async (query, headers) => {
    const [ours, theirs] = await Promise.all([ask(query, headers), ask(query, headers, prism)]);
    expect(ours.status).toBe(theirs.status);
  });

  test.each(['ids=1&ids=2&ids=3', 'filter[most]=1'])(
    '%s is rejected, although Prism accepts it against its schema',
    async (query) => {
      expect((await ask(`?${query}`)).status).toBe(422);
      expect((await ask(`?${query}`, undefined, prism)).status).toBe(200);
    },
  );

  test('a parameter error names its place and a value that would pass', async () => {
    const { body } = await ask('?order=up&page=0');
    expect(body).toMatchObject({
      type: expect.stringMatching(/problems\/invalid-query$/),
      detail: 'page must be at least 1; order must be one of "asc", "desc"',
      errors: [
        { in: 'query', name: 'page', message: 'must be at least 1' },
        { in: 'query', name: 'order', message: 'must be one of "asc", "desc"' },
      ],
    });
    expect((await ask('', {})).body).toMatchObject({
      type: expect.stringMatching(/problems\/invalid-header$/),
      detail: 'X-Branch is missing',
    });
  });

  test('members of an object parameter are known names, and other names get a warning', async () => {
    expect((await ask('?filter[min]=1')).warning).toBeNull();
    expect((await ask('?filters[min]=1')).warning).toMatch(/filters\[min\] is no query parameter/);
  });

  test('a lenient mock accepts requests that violate only an assumption', async () => {
    const lenient = (provenance: string): Promise<Mock> =>
      startMock({ ...options, lenient: true, overlays: [overlay({ parameters: PARAMETERS }, provenance)] });
    await using assumed = await lenient('assumed');
    await using documented = await lenient('documented');
    const served = await ask('?page=0', {}, assumed);
    expect([served.status, served.warning]).toEqual([
      200,
      'refused by a stricter mock: 422 page must be at least 1 422 X-Branch is missing',
    ]);
    expect((await ask('?page=0', {}, documented)).status).toBe(422);
  });
});
