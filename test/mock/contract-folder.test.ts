import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { packageRoot } from '../../src/package-root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { basic } from './support/client.ts';
import { mockOfFile } from './support/started.ts';

const PIGEONS = join(packageRoot, 'examples/second-api');
const CLIENT = { client_id: 'sandbox', client_secret: 'sandbox-secret' };
const GRANT = { grant_type: 'client_credentials' };

async function askToken(mock: Mock, form: Record<string, string>, headers: Record<string, string> = {}) {
  const reply = await mock.fetch('/oauth2/token', { method: 'POST', headers, body: new URLSearchParams(form) });
  const body = (await reply.json()) as Record<string, unknown>;
  return { status: reply.status, error: body.error, challenge: reply.headers.get('www-authenticate'), body };
}

test('an operation without security needs no token, and is not mistaken for the token endpoint', async () => {
  const text = `overlay: 1.0.0
info: { title: Health, version: '1' }
actions:
  - target: $.paths
    update:
      /public/health:
        get:
          operationId: getHealth
          security: []
          responses: { '200': { description: Well., content: { application/json: { schema: { type: object }, example: { well: true } } } } }
`;
  await using mock = await startMock({ listen: false, overlays: [{ file: 'health.yaml', text }] });
  const reply = await mock.fetch('/public/health');
  expect([reply.status, await reply.json()]).toEqual([200, { well: true }]);
});

const mock = await mockOfFile({ listen: false, folder: await readContractFolder(PIGEONS) });

describe('the mock of another contract folder', () => {
  test('the mock serves the contract of the folder instead of the packaged one', async () => {
    const token = String((await askToken(mock, { ...GRANT, ...CLIENT })).body.access_token);
    const headers = { authorization: `Bearer ${token}`, 'x-post-office': 'riga' };
    expect((await mock.fetch('/v2/lofts', { headers })).status).toBe(200);
    expect((await mock.fetch('/flying-weather')).status).toBe(200);
    expect((await mock.fetch('/iam/oauth/token', { method: 'POST' })).status).toBe(404);
  });

  test('a 401 without a token names the token endpoint', async () => {
    const reply = await mock.fetch('/v2/lofts');
    expect(reply.status).toBe(401);
    expect(await reply.json()).toMatchObject({ detail: expect.stringContaining('POST /oauth2/token') });
  });

  test('S3: form credentials are checked; only a caller who used an HTTP scheme gets a challenge', async () => {
    const body = { expires_in: expect.toBeOneOf([599, 600]) };
    expect(await askToken(mock, { ...GRANT, ...CLIENT })).toMatchObject({ status: 200, challenge: null, body });
    const wrong = { status: 401, error: 'invalid_client', challenge: null };
    expect(await askToken(mock, GRANT)).toMatchObject(wrong);
    expect(await askToken(mock, { ...GRANT, ...CLIENT, client_secret: 'other' })).toMatchObject(wrong);
    expect(await askToken(mock, { ...GRANT, ...CLIENT, client_id: 'other' })).toMatchObject(wrong);
    const authorization = basic('sandbox', 'sandbox-secret');
    const challenged = { ...wrong, challenge: expect.stringMatching(/^Basic /) };
    expect(await askToken(mock, GRANT, { authorization })).toMatchObject(challenged);
    const twice = await askToken(mock, { ...GRANT, ...CLIENT }, { authorization });
    expect(twice).toMatchObject({ status: 400, error: 'invalid_request' });
    const password = await askToken(mock, { grant_type: 'password', ...CLIENT });
    expect(password).toMatchObject({ status: 400, error: 'unsupported_grant_type' });
  });

  test('the token command matches the contract and runs unchanged', async () => {
    expect(mock.tokenCommand).toBe(
      "printf %s 'sandbox-secret' | curl --data-urlencode client_id='sandbox' --data-urlencode client_secret@- -d grant_type=client_credentials 'http://mock.localhost/oauth2/token'",
    );
    await using own = await startMock({ listen: false, credentials: { username: 'a', password: "it's" } });
    expect(own.tokenCommand).toBe(
      String.raw`curl -u 'a':'it'\''s' -d grant_type=client_credentials 'http://mock.localhost/iam/oauth/token'`,
    );
  });

  test('token endpoint scenarios work under any operation name', async () => {
    await using playing = await startMock({ listen: false, folder: await readContractFolder(PIGEONS) });
    const askWith = async (scenario: string) => {
      using _ = await playing.scenario(scenario);
      const weather = await playing.fetch('/flying-weather');
      expect([scenario, weather.headers.get('x-mock-scenario')]).toEqual([scenario, null]);
      return await askToken(playing, { ...GRANT, ...CLIENT });
    };
    expect(await askWith('token-endpoint-failing')).toMatchObject({ status: 503 });
    expect(await askWith('token-endpoint-wrong-body')).toMatchObject({ body: { expires_in: 'soon' } });
    await expect(askWith('token-endpoint-down')).rejects.toThrow('fetch failed');
    using _ = await playing.scenario('token-endpoint-same-token');
    const ask = async () => (await askToken(playing, { ...GRANT, ...CLIENT })).body.access_token;
    expect(await ask()).toBe(await ask());
    await expect(playing.scenario('card-limit-refused')).rejects.toMatchObject({ code: 'usage' });
  });
});

test('a hook that cannot be loaded is reported with its file', async () => {
  const dir = await temporaryFolder();
  await cp(PIGEONS, dir, { recursive: true });
  const file = join(dir, 'mocks/hooks/broken.js');
  await writeFile(file, 'export const = 1;');
  await expect(startMock({ listen: false, folder: await readContractFolder(dir) })).rejects.toMatchObject({
    code: 'spec-invalid',
    exitCode: 3,
    place: { file },
  });
});

test('a hook in a package of the type commonjs is rejected with the fix', async () => {
  const dir = await temporaryFolder();
  await cp(PIGEONS, dir, { recursive: true });
  await writeFile(join(dir, 'package.json'), '{ "type": "commonjs" }');
  await expect(startMock({ listen: false, folder: await readContractFolder(dir) })).rejects.toMatchObject({
    code: 'spec-invalid',
    hint: 'End its name in .mjs, or set "type": "module" in its package.json.',
  });
});

test('profiles and scenarios of the folder are found by name, before the packaged ones', async () => {
  const dir = await temporaryFolder();
  await cp(PIGEONS, dir, { recursive: true });
  await mkdir(join(dir, 'mocks/scenarios'), { recursive: true });
  await cp(join(packageRoot, 'mocks/scenarios/server-down.yaml'), join(dir, 'mocks/scenarios/storm.yaml'));
  await writeFile(
    join(dir, 'mocks/scenarios/server-down.yaml'),
    "name: server-down\ntitle: T\nrules: [{ operations: ['*'], answer: { status: 418 } }]\n",
  );
  await using mock = await startMock({ listen: false, folder: await readContractFolder(dir) });
  const weatherWith = async (scenario: string): Promise<number> => {
    using _ = await mock.scenario(scenario);
    return (await mock.fetch('/flying-weather')).status;
  };
  expect([await weatherWith('storm'), await weatherWith('server-down')]).toEqual([500, 418]);
});
