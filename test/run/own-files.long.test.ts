import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ContractFolder, readContractFolder } from '../../src/contract/folder.ts';
import { plan } from '../../src/run/plan.ts';
import { verify } from '../../src/run/verify.ts';

const SPEC = `openapi: 3.1.1
info: { title: Lighthouse, version: '1' }
paths:
  /token:
    post:
      operationId: lightToken
      security: []
      x-effect: read
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              properties: { grant_type: { type: string }, client_id: { type: string }, client_secret: { type: string } }
      responses: { 2XX: { description: good } }
  /lamps/{lamp}:
    parameters: [{ name: lamp, in: path, required: true, schema: { type: string } }]
    get:
      operationId: showLamp
      tags: [Lamps]
      responses: { 2XX: { description: good } }
    put:
      operationId: turnLamp
      tags: [Lamps]
      requestBody: { content: { application/json: { schema: { type: object, properties: { lamp: { type: string } } } } } }
      responses: { 2XX: { description: good } }
security: [{ light: [] }]
components:
  securitySchemes:
    light: { type: http, scheme: bearer, x-token: { grant: { value: client_credentials, operationId: lightToken } } }
`;
const OWN = `import { check, CONTRACT_API, expectThat, operation } from 'banking-api-contract/contract';
check({ id: 'lamps.twice', operationId: 'showLamp', calls: [{ times: 2 }, { parameters: { lamp: 'b' } }] }, async (t) => {
  expectThat(CONTRACT_API === 1 && operation('showLamp').auth === 'bearer', 'what was said', 'another thing');
  const answers = await t.all();
  expectThat(answers.map(({ json }) => json.path).join() === '/lamps/a,/lamps/a,/lamps/b', 'three answers', 'others');
});
check({ id: 'lamps.turned', operationId: 'turnLamp', calls: [{ json: { on: true } }] });
`;

let dir: string;
let folder: ContractFolder;
let server: Server;
const seen: string[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lighthouse-'));
  await put('contract.yaml', 'contract: 1\nname: lighthouse\n');
  await put('spec/openapi.yaml', SPEC);
  folder = await readContractFolder(dir);
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const isToken = request.url === '/token';
    const allowed = isToken || request.headers.authorization === 'Bearer lamp-oil';
    if (!isToken && allowed) seen.push(`${request.method} ${request.url} ${body}`.trim());
    response.writeHead(allowed ? 200 : 401, { 'content-type': 'application/json' });
    const token = { access_token: 'lamp-oil', token_type: 'Bearer', expires_in: 60 };
    response.end(JSON.stringify(isToken ? token : { path: request.url }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  await rm(dir, { recursive: true });
});
beforeEach(() => seen.splice(0));

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(dir, file)), { recursive: true });
  await writeFile(join(dir, file), text);
}

const options = () => ({
  folder,
  target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  credentials: { username: 'keeper', password: 'a-secret-of-the-keeper' },
  parameters: { lamp: 'a' },
});
const WRITES = { allow: 'write', writesAllowedOn: ['127.0.0.1'] } as const;

describe('a contract folder without a package beside it', () => {
  test('gets the checks that serve any contract', async () => {
    const { checks, exitCode } = await verify(options());
    const ran = checks.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
    expect(ran).toEqual([
      'token.response',
      'token.serves-many-calls',
      'unauthorised.no-token.showLamp',
      'unauthorised.garbage-token.showLamp',
      'lamps.answers.showLamp',
    ]);
    expect(checks.find(({ id }) => id === 'lamps.answers.turnLamp')?.reason).toBe('write calls need --allow write');
    expect(exitCode).toBe(0);
  });

  test('adds its own, which make the calls that they announce', async () => {
    await put('contracts/lamps.contract.js', OWN);
    const { checks } = await verify(options());
    const own = checks.filter(({ id }) => /^lamps\.t/.test(id)).map(({ outcome, reason }) => [outcome, reason]);
    expect(own).toEqual([
      ['passed', ''],
      ['skipped', 'write calls need --allow write'],
    ]);
    expect(seen.filter((line) => line === 'GET /lamps/b')).toHaveLength(1);
    await verify({ ...options(), ...WRITES });
    expect(seen).toContain('PUT /lamps/a {"lamp":"a","on":true}');
  });

  test('--plan lists them, and the number of calls that may change data counts them', async () => {
    const rows = await plan({ ...options(), ...WRITES });
    const own = rows.filter(({ checkId }) => /^lamps\.t/.test(checkId));
    expect(own.map(({ method, target, times }) => `${method} ${target} ${times}`)).toEqual([
      'GET /lamps/a 2',
      'GET /lamps/b 1',
      'PUT /lamps/a 1',
    ]);
    expect(seen).toEqual([]);
    const told: unknown[] = [];
    const onEvent = (event: { kind: string; writing?: unknown }) => event.kind === 'target' && told.push(event.writing);
    await verify({ ...options(), ...WRITES, onEvent });
    // the answer, without a token and with a dead one, and its own
    expect(told).toEqual([4]);
  });

  test.each([
    [
      'a call that is not announced',
      "check({ id: 'lamps.x', operationId: 'showLamp' }, (t) => t.call(1));",
      /announces no call 1/,
    ],
    [
      'more calls than announced',
      "check({ id: 'lamps.x', operationId: 'showLamp' }, async (t) => [await t.call(), await t.call()]);",
      /1 times only/,
    ],
    [
      'an operation that is none',
      "check({ id: 'lamps.x', operationId: 'showShip' });",
      /names no operation of the contract: showShip/,
    ],
    [
      'an id that is taken',
      "check({ id: 'lamps.answers.showLamp', operationId: 'showLamp' });",
      /id lamps\.answers\.showLamp/,
    ],
    [
      'other checks than were announced ahead',
      "check({ id: 'lamps.' + process.hrtime()[1], operationId: 'turnLamp' });",
      /^No file of the contract suite runs the check lamps\.\d+/,
    ],
  ])('%s is refused, and is a fault of the suite', async (_what, text, message) => {
    await put('contracts/lamps.contract.js', `import { check } from 'banking-api-contract/contract';\n${text}\n`);
    await expect(verify({ ...options(), ...WRITES })).rejects.toMatchObject({
      code: 'fault',
      message: expect.stringMatching(message),
    });
    const [gets, puts] = ['GET', 'PUT'].map((method) => seen.filter((line) => line.startsWith(method)).length);
    // what the checks of any contract send: three for the token and one answer; one answer
    expect(gets).toBeLessThanOrEqual(5);
    expect(puts).toBeLessThanOrEqual(1);
  });

  test('its code sees neither credentials nor the target', async () => {
    process.env.BANKING_API_PASSWORD = 'a-secret-of-the-keeper';
    try {
      const text = `import { check, expectThat } from 'banking-api-contract/contract';
import { inject } from 'vitest';
check({ id: 'lamps.x', operationId: 'showLamp' }, async (t) => {
  await t.all();
  const all = JSON.stringify([inject('suite'), process.env.BANKING_API_PASSWORD]);
  expectThat(!all.includes('a-secret-of-the-keeper') && !all.includes('${options().target}'), 'no secret', 'one');
});\n`;
      await put('contracts/lamps.contract.js', text);
      const { checks } = await verify(options());
      expect(checks.find(({ id }) => id === 'lamps.x')).toMatchObject({ outcome: 'passed', reason: '' });
    } finally {
      delete process.env.BANKING_API_PASSWORD;
    }
  });
});
