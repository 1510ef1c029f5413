import { describe, expect, test, vi } from 'vitest';
import { findPrism } from '../../../src/mock/pipeline/prism.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { verify } from '../../../src/run/verify.ts';
import { bearer, type Sent, send } from '../support/client.ts';
import { mockOfFile } from '../support/started.ts';

const CARDS = '/wallet/api/customers/cust-1001/cards';
const CARD = `${CARDS}/card-4001`;
const mock = await mockOfFile({ engine: 'prism' });
const authorization = await bearer(mock);

async function ask(path: string, { headers, ...sent }: Omit<Sent, 'path'> = {}) {
  const reply = await send(mock, { ...sent, path, headers: { authorization, ...headers } });
  const type =
    reply.text !== '' && /^[^;]*json/.test(String(reply.headers['content-type'])) ? String(reply.json().type) : '';
  return { ...reply, kind: /problems\/(.+)/.exec(type)?.[1] };
}

describe('the engine prism', () => {
  test('verify agrees with the Prism engine on reads, with probes', async () => {
    const report = await verify({ target: mock.url, credentials: mock.credentials, probe: true });
    expect([report.exitCode, report.verdict, report.findings]).toEqual([0, 'agrees', []]);
    expect(report.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(60);
  });

  const post = (body: string, type = 'application/json'): Omit<Sent, 'path'> => {
    return { method: 'POST', body, headers: { 'content-type': type } };
  };
  test.each<[rule: string, path: string, sent: Omit<Sent, 'path'>, status: number, kind: string | undefined]>([
    ['M3', CARDS, post('{"a": 1,}'), 400, 'bad-body'],
    ['M3', CARDS, post('{"a": 1, "a": 2}'), 400, 'bad-body'],
    ['M3', CARDS, post('a=%ZZ', 'application/x-www-form-urlencoded'), 400, 'bad-body'],
    ['M4', `${CARDS}/%ZZ`, {}, 400, 'bad-target'],
    ['M4', '/wallet/api/customers//cards/card-4001', {}, 404, 'no-such-path'],
    ['M4', `${CARDS}/a%2Fb,c`, {}, 200, undefined],
    ['M5', CARD, { headers: { authorization: 'Bearer forged' } }, 401, 'token-refused'],
    ['S14', CARD, { headers: { authorization: '' } }, 401, 'token-missing'],
    ['S17', CARD, { method: 'PATCH' }, 405, 'method-not-allowed'],
    ['S19', CARD, { method: 'HEAD' }, 200, undefined],
    ['S20', CARD, { method: 'OPTIONS' }, 204, undefined],
    ['S21', CARD, { headers: { accept: 'garbage' } }, 200, undefined],
    ['S21', CARD, { headers: { accept: 'text/html' } }, 406, 'not-acceptable'],
    ['S21', CARDS, post('{}', 'text/plain'), 415, 'unsupported-type'],
    ['404', '/nowhere', {}, 404, 'no-such-path'],
    ['Prefer', CARD, { headers: { prefer: 'code=404' } }, 404, 'preference-unmet'],
    ['Prefer', CARD, { headers: { prefer: 'code=abc' } }, 400, 'preference-unmet'],
  ])('%s applies: %s with %o gets %i', async (_, path, sent, status, kind) => {
    const reply = await ask(path, sent);
    expect([reply.status, reply.kind]).toEqual([status, kind]);
    expect(reply.headers['x-mock-provenance']).toMatch(/^(documented|assumed)$/);
    if (status === 405) expect(reply.headers.allow).toBe('GET, DELETE, HEAD, OPTIONS');
  });

  test('the Prism engine has no state, no state-based refusals and no warnings', async () => {
    const issued = await ask(CARDS, post('{"unknown":1}'));
    expect([issued.status, issued.headers['x-mock-warning']]).toEqual([200, undefined]);
    expect((await ask(`${CARDS}/never-issued`)).json()).toEqual((await ask(CARD)).json());
    expect((await ask(CARD, { method: 'DELETE' })).status).toBeLessThan(300);
    expect((await ask(CARD)).status).toBe(200);
  });

  test('journal and scenarios work with the Prism engine', async () => {
    const reply = await ask(CARD, { headers: { 'x-mock-scenario': 'unauthorized-once' } });
    expect([reply.status, reply.headers['x-mock-scenario']]).toEqual([401, 'unauthorized-once']);
    const [entry] = mock.journal.entries({ limit: 1 });
    expect([entry?.operationId, entry?.response?.status]).toEqual(['getCard', 401]);
    const answer = { status: 503, at: 'body' as const };
    using _ = await mock.scenario({ name: 'instead', rules: [{ operations: ['issueNewCard'], answer }] });
    expect((await ask(CARDS, post('{}'))).status).toBe(503);
    expect((await ask(CARDS, post('{"currency":1}'))).status).toBe(422);
  });
});

test.each([{ strict: true }, { lenient: true }, { store: 'state.json' }])(
  'the Prism engine cannot be combined with %o',
  async (options) => {
    await expect(startMock({ engine: 'prism', listen: false, ...options })).rejects.toMatchObject({ code: 'usage' });
  },
);

test('an unknown engine is rejected', async () => {
  await expect(startMock({ engine: 'Prism' as 'prism' })).rejects.toThrow('The engine is compiled or prism');
});

test('without Prism the start names the package to install, and on older Node the required version', () => {
  const find = () => findPrism('file:///nowhere/prism.js');
  expect(find).toThrow(expect.objectContaining({ code: 'engine-missing', packages: ['@stoplight/prism-http'] }));
  const versions = vi.spyOn(process, 'versions', 'get').mockReturnValue({ ...process.versions, node: '22.19.0' });
  try {
    expect(find).toThrow(/24\.18/);
  } finally {
    versions.mockRestore();
  }
});
