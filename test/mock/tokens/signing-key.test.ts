import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Mock, MockOptions } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { POSIX } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { tokenOf } from '../support/token.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const folder = await temporaryFolder();
const running: Mock[] = [];
afterEach(async () => {
  for (const mock of running.splice(0)) await mock.close();
});

async function start(options: MockOptions): Promise<Mock> {
  const mock = await startMock({ listen: false, ...options });
  running.push(mock);
  return mock;
}

/** 200, or the error. */
async function taken(mock: Mock, value: string): Promise<string> {
  const answer = await mock.fetch(CARD, { headers: { authorization: `Bearer ${value}` } });
  return answer.status === 200 ? '200' : ((await answer.json()) as { detail: string }).detail;
}

function fresh(name: string): string {
  return join(folder, name);
}

describe('the key that signs tokens', () => {
  test('the signing key is readable only by its owner, and tokens stay valid after a restart', POSIX, async () => {
    const signingKey = fresh('deep/signing.key');
    const first = await start({ signingKey });
    expect(statSync(signingKey).mode & 0o777).toBe(0o600);
    const { value } = await tokenOf(first);
    await first.close();
    const key = readFileSync(signingKey, 'utf8');
    expect(await taken(await start({ signingKey }), value)).toBe('200');
    expect(readFileSync(signingKey, 'utf8')).toBe(key);
    expect(await taken(await start({}), value)).toBe('the token was not issued by this mock');
  });

  test('several mocks that start at once without a key share one', async () => {
    const signingKey = fresh('race.key');
    const mocks = await Promise.all(Array.from({ length: 8 }, () => start({ signingKey })));
    const { value } = await tokenOf(mocks[0] as Mock);
    expect(new Set(await Promise.all(mocks.map((mock) => taken(mock, value))))).toEqual(new Set(['200']));
  });

  test('a configured key may use both alphabets of base64', async () => {
    const key = randomBytes(48);
    for (const text of [key.toString('base64'), `${key.toString('base64url')}\r\n`]) {
      const signingKey = fresh('given.key');
      writeFileSync(signingKey, text);
      await start({ signingKey });
      expect(readFileSync(signingKey, 'utf8')).toBe(text);
    }
  });

  test.each([
    ['nothing', ''],
    ['too little', randomBytes(31).toString('base64')],
    ['something else', '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n'],
    ['bytes', randomBytes(64)],
  ])('a key file of %s is rejected and named', async (_, content) => {
    const signingKey = fresh('bad.key');
    writeFileSync(signingKey, content);
    await expect(startMock({ listen: false, signingKey })).rejects.toMatchObject({
      exitCode: 2,
      place: { file: signingKey },
      message: expect.stringContaining('It holds no signing key'),
    });
  });

  test('a key path that is a folder or cannot be created is rejected', async () => {
    const inTheWay = fresh('folder.key');
    mkdirSync(inTheWay);
    const below = join(fresh('file'), 'x.key');
    writeFileSync(fresh('file'), '');
    for (const signingKey of [inTheWay, below]) {
      await expect(startMock({ listen: false, signingKey })).rejects.toMatchObject({
        exitCode: 2,
        place: { file: expect.stringContaining(signingKey) },
      });
    }
    expect(existsSync(below)).toBe(false);
  });
});

test('a given control API token is the one that counts', async () => {
  const controlToken = 'abcdefgh-12345678_x';
  const mock = await start({ listen: true, controlToken, host: '0.0.0.0' });
  const revoke = (given: string): Promise<Response> =>
    fetch(`${mock.url}/__mock/tokens/revoke`, { method: 'POST', headers: { 'x-mock-control-token': given } });
  expect([(await revoke('wrong')).status, (await revoke(controlToken)).status]).toEqual([403, 204]);
  for (const wrong of ['', 'short', 'with space in it, long', 'x'.repeat(201), 'slash/slash/slash/slash'])
    await expect(startMock({ listen: false, controlToken: wrong })).rejects.toThrow(/16 to 200 letters/);
});

test('a page of an allowed origin uses the control API with the token, and no other page does', async () => {
  const mock = await start({ allowedOrigins: ['https://*.app.github.dev'] });
  const ask = async (origin: string, method: string, token?: string): Promise<number> => {
    const headers = { origin, ...(token !== undefined && { 'x-mock-control-token': token }) };
    return (await mock.fetch('/__mock/clock', { method, headers })).status;
  };
  const [own, other] = ['https://x-4010.app.github.dev', 'https://x-4010.app.github.dev.evil.example'];
  expect([
    await ask(own, 'DELETE', mock.controlToken),
    await ask(own, 'GET', mock.controlToken),
    await ask(own, 'DELETE'),
    await ask(own, 'GET'),
    await ask(other, 'DELETE', mock.controlToken),
    await ask('http://localhost:5173', 'DELETE', mock.controlToken),
  ]).toEqual([200, 200, 403, 403, 403, 403]);
});
