import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import type { ContractFolder } from '../../src/contract/folder.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import type { Report } from '../../src/model/report.ts';
import { packageRoot } from '../../src/package-root.ts';
import { plan } from '../../src/run/plan.ts';
import { verify } from '../../src/run/verify.ts';
import { fakeIo } from '../cli/io.ts';
import { type LoopbackServer, serveOnLoopback } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
  /lamps/{lamp}/flames:
    parameters: [{ name: lamp, in: path, required: true, schema: { type: string } }]
    post:
      operationId: lightLamp
      tags: [Lamps]
      x-creates: flame
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { 2XX: { description: good, content: { application/json: { schema: { $ref: '#/components/schemas/Lit' } } } } }
  /flames/{flame}:
    parameters: [{ name: flame, in: path, required: true, schema: { type: string } }]
    delete:
      operationId: putOut
      tags: [Lamps]
      x-removes: flame
      responses: { 2XX: { description: good } }
security: [{ light: [] }]
components:
  schemas:
    Lit: { type: object, properties: { flame: { type: object, properties: { colour: { type: string } } } } }
  securitySchemes:
    light: { type: http, scheme: bearer, x-token: { grant: { value: client_credentials, operationId: lightToken } } }
`;
/** Written from Pactum's documentation. */
const OWN = `import { spec } from 'pactum';
import { describe, expect, it } from 'vitest';

describe('A lamp', () => {
  it('shows its path', async () => {
    await spec().get('/lamps/{lamp}').withPathParams('lamp', 'b').expectStatus(200).expectJson({ path: '/lamps/b' });
  });

  it('is lit by a name', async () => {
    const lit = await spec()
      .post('/lamps/{lamp}/flames')
      .withPathParams({ lamp: 'a' })
      .withJson({ name: 'Ada' })
      .expectStatus(201)
      .expectJsonSchema({
        type: 'object',
        required: ['flame'],
        properties: { flame: { $ref: '#/$defs/flame' } },
        $defs: { flame: { type: 'object', properties: { name: { type: 'string' }, heat: { type: 'integer' } } } },
      })
      .returns('flame');
    await spec().delete('/flames/{flame}').withPathParams('flame', lit.id).expectStatus(204);
    expect(lit.name).toBe('Ada');
  });

  it('is not known by another name', async () => {
    await spec().get('/lamps/{lamp}').withPathParams('lamp', 'unknown').expectStatus(404);
  });
});
`;

let dir: string;
let folder: ContractFolder;
let server: LoopbackServer;
const seen: string[] = [];
/** Wrong answers of the stand-in, by request. */
let wrong: (request: string) => { readonly status: number; readonly json?: unknown } | undefined = () => undefined;

beforeAll(async () => {
  dir = join(await temporaryFolder(), 'contract');
  await put('contract.yaml', 'contract: 1\nname: lighthouse\n');
  await put('spec/openapi.yaml', SPEC);
  folder = await readContractFolder(dir);
  server = await serveOnLoopback(({ method, path, headers, body }, response) => {
    const isToken = path === '/token';
    const allowed = isToken || headers.authorization === 'Bearer lamp-oil';
    const what = `${method} ${path} ${body}`.trim();
    if (!isToken && allowed) seen.push(what);
    const { status, json } = isToken
      ? { status: 200, json: { access_token: 'lamp-oil', token_type: 'Bearer', expires_in: 60 } }
      : allowed
        ? (wrong(what) ?? right(what))
        : { status: 401, json: {} };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(status === 204 ? undefined : JSON.stringify(json));
  });
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  seen.splice(0);
  wrong = () => undefined;
});

function right(what: string): { status: number; json?: unknown } {
  if (what.includes('unknown')) return { status: 404, json: {} };
  if (what.startsWith('DELETE')) return { status: 204 };
  if (what.includes('/flames'))
    return { status: 201, json: { flame: { id: 'f-7', name: 'Ada', heat: 3, colour: 'red' } } };
  return { status: 200, json: { path: what.split(' ')[1] } };
}

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(dir, file)), { recursive: true });
  await writeFile(join(dir, file), text);
}

const options = () => ({
  folder,
  target: server.url,
  credentials: { username: 'keeper', password: 'a-secret-of-the-keeper' },
  parameters: { lamp: 'a' },
});
const WRITES = { allow: 'destructive', writesAllowedOn: ['127.0.0.1'] } as const;

/** Results of the contract's own checks: outcome and reason by id. */
const ownIn = ({ checks }: Report): Record<string, string> =>
  Object.fromEntries(
    checks.filter(({ id }) => id.startsWith('own.')).map(({ id, outcome, reason }) => [id, `${outcome}: ${reason}`]),
  );

const failuresIn = ({ findings }: Report) =>
  findings
    .filter(({ rule }) => rule === 'contract-check-failed')
    .map(({ operationId, pointer, expected, actual, checks }) => ({ operationId, pointer, expected, actual, checks }));

test('a contract folder without its own package gets the general checks', async () => {
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

describe('Pactum files of a team', () => {
  beforeAll(() => put('contracts/lamps.contract.js', OWN));

  test('a Pactum file sends its reads, and skips the checks that need writes', async () => {
    expect(ownIn(await verify(options()))).toEqual({
      'own.lamps.A lamp > shows its path': 'passed: nothing to compare',
      'own.lamps.A lamp > is lit by a name': 'skipped: write calls need --allow write',
      'own.lamps.A lamp > is not known by another name': 'passed: ',
    });
    expect(seen.filter((what) => what.startsWith('POST'))).toEqual([]);
  });

  test('a Pactum file sends its writes if permitted, and may remove the resources it created', async () => {
    const report = await verify({ ...options(), ...WRITES });
    expect(ownIn(report)['own.lamps.A lamp > is lit by a name']).toMatch(/^passed: /);
    expect(seen).toEqual(expect.arrayContaining(['POST /lamps/a/flames {"name":"Ada"}', 'DELETE /flames/f-7']));
    expect(failuresIn(report)).toEqual([]);
  });

  test('--plan prints the requests of a Pactum file, with names for unknown ids, and sends nothing', async () => {
    const rows = await plan({ ...options(), ...WRITES });
    const own = rows.filter(({ checkId }) => checkId.startsWith('own.'));
    expect(own.map(({ method, target, effect, times }) => `${effect} ${method} ${target} ${times}`)).toEqual([
      'read GET /lamps/b 1',
      'write POST /lamps/a/flames 1',
      'destructive DELETE /flames/{flame} ({flame}: created in this run) 1',
      'read GET /lamps/unknown 1',
    ]);
    expect(seen).toEqual([]);
    const told: unknown[] = [];
    const onEvent = (event: { kind: string; writing?: unknown }) => event.kind === 'target' && told.push(event.writing);
    await verify({ ...options(), ...WRITES, onEvent });
    const writes = rows.filter(({ effect }) => effect !== 'read').reduce((sum, { times }) => sum + times, 0);
    expect(told).toEqual([writes]);
  });

  test.each([
    [
      'a wrong type',
      { status: 201, json: { flame: { id: 'f-7', name: 7 } } },
      '/flame/name',
      'type string at /flame/name',
      'number',
    ],
    ['a missing field', { status: 201, json: {} }, '/flame', 'required at /flame', 'nothing'],
    ['another status', { status: 200, json: { flame: {} } }, '', 'status 201', 'status 200'],
    ['a refusal', { status: 422, json: {} }, '', 'status 201', 'status 422'],
  ])(
    'a Pactum file fails with expected and actual value if the target answers with %s',
    async (_, answer, pointer, expected, actual) => {
      wrong = (what) => (what.startsWith('POST /lamps/a/flames {"name"') ? answer : undefined);
      const report = await verify({ ...options(), ...WRITES });
      const checks = ['own.lamps.A lamp > is lit by a name'];
      expect(failuresIn(report)).toEqual([{ operationId: 'lightLamp', pointer, expected, actual, checks }]);
      expect([report.verdict, ownIn(report)[checks[0] ?? '']]).toEqual([
        'drift',
        `failed: contract-check-failed: Expected ${expected}, got ${actual}.`,
      ]);
    },
  );

  test('a Pactum file fails if the target does not return an asserted 4xx', async () => {
    wrong = (what) => (what.includes('unknown') ? { status: 200, json: {} } : undefined);
    expect(failuresIn(await verify(options()))).toMatchObject([{ expected: 'status 404', actual: 'status 200' }]);
  });

  test('a request with a method that the contract does not have fails its check', async () => {
    const text = `import { spec } from 'pactum';
import { test } from 'vitest';
test('new', () => spec().post('/lamps/a').expectStatus(201));\n`;
    await put('contracts/methods.contract.js', text);
    const report = await verify({ ...options(), ...WRITES });
    await rm(join(dir, 'contracts/methods.contract.js'));
    expect([report.exitCode, ownIn(report)['own.methods.new']]).toEqual([
      1,
      expect.stringMatching(/^failed: .*no operation of the contract is POST \/lamps\/a/),
    ]);
    expect(seen).not.toContain('POST /lamps/a');
  });

  test.each([
    ['beforeAll', 'beforeAll(() => { throw new Error("no lamp oil"); });', /hooks\.contract\.js: no lamp oil/],
    ['afterAll', 'afterAll(() => { throw new Error("no lamp oil"); });', /hooks\.contract\.js: no lamp oil/],
    [
      'beforeAll that sends a request',
      'beforeAll(() => spec().get("/lamps/a").expectStatus(200));',
      /hooks\.contract\.js: Only tests, beforeEach and afterEach can send requests/,
    ],
  ])('a Pactum file whose %s fails inside of describe cannot be run', async (_, hook, message) => {
    const text = `import { spec } from 'pactum';
import { afterAll, beforeAll, describe, test } from 'vitest';
test('first', () => spec().get('/lamps/{lamp}').withPathParams('lamp', 'b').expectStatus(200));
describe('A lamp', () => { ${hook} test('shines', () => {}); });\n`;
    await put('contracts/hooks.contract.js', text);
    await expect(verify(options())).rejects.toMatchObject({ code: 'config', message: expect.stringMatching(message) });
    await rm(join(dir, 'contracts/hooks.contract.js'));
  });

  test('a Pactum failure is not repeated if another rule reports the same place; an info does not count', async () => {
    const colour = `import { spec } from 'pactum';
import { test } from 'vitest';
test('red', () => spec().post('/lamps/a/flames').withJson({ red: 1 }).expectJsonLike({ flame: { colour: 'red', FIELD: 1 } }));\n`;
    wrong = (what) =>
      what.includes('{"red"') ? { status: 201, json: { flame: { id: 'f-8', colour: 7, more: 2 } } } : undefined;
    await put('contracts/lamps.contract.js', colour.replace(', FIELD: 1', ''));
    const told = await verify({ ...options(), ...WRITES });
    expect(told.findings.map(({ rule, pointer }) => `${rule} ${pointer}`)).toContain('type-contradicted /flame/colour');
    expect(failuresIn(told)).toEqual([]);
    await put('contracts/lamps.contract.js', colour.replace("colour: 'red', FIELD", 'more'));
    const hidden = await verify({ ...options(), ...WRITES });
    expect(
      hidden.findings.filter(({ pointer }) => pointer === '/flame/more').map(({ rule, severity }) => [rule, severity]),
    ).toEqual(
      expect.arrayContaining([
        ['undocumented-field', 'info'],
        ['contract-check-failed', 'error'],
      ]),
    );
    await put('contracts/lamps.contract.js', OWN);
  });

  const LIT = { id: 'f-8', rays: [{ hue: 1 }, { hue: 2 }], password: 'planted-in-the-body' };

  /** The report of a run whose only own check has one expectation. */
  async function reportOf(expectation: string): Promise<Report> {
    wrong = (what) => (what.includes('{"red"') ? { status: 201, json: { flame: LIT } } : undefined);
    const text = `import { spec } from 'pactum';
import { test } from 'vitest';
test('red', () => spec().post('/lamps/a/flames').withJson({ red: 1 }).${expectation});\n`;
    await put('contracts/lamps.contract.js', text);
    const report = await verify({ ...options(), ...WRITES });
    await put('contracts/lamps.contract.js', OWN);
    return report;
  }

  test.each([
    [
      'expectJson',
      `{ flame: { ...${JSON.stringify(LIT)}, rays: [{ hue: 1 }, { hue: 3 }] } }`,
      '/flame/rays/1/hue',
      '3',
      '2',
    ],
    ['expectJson', '{ flame: {} }', '/flame/id', 'nothing', 'another string'],
    ['expectJson', `'flame.rays[1].hue', 3`, '/flame/rays/1/hue', '3', '2'],
    ['expectJson', `'flame.rays[1]', { hue: '2' }`, '/flame/rays/1/hue', '"2"', '2'],
    ['expectJsonLike', `'flame.rays[1]', { hue: 3 }`, '/flame/rays/1/hue', "value '3'", '2'],
    ['expectJsonMatch', `'flame.rays[1]', { hue: 3 }`, '/flame/rays/1/hue', "value '3'", '2'],
    ['expectJsonLength', `'flame.rays', 3`, '/flame/rays', 'length 3', 'length 2'],
    ['expectJsonSchema', `'flame.rays[1]', { required: ['x'] }`, '/flame/rays/1/x', 'required', 'nothing'],
  ])('the finding of %s(%s) names the place, expected and actual', async (name, given, pointer, expected, actual) => {
    const report = await reportOf(`${name}(${given})`);
    expect(failuresIn(report)).toMatchObject([
      { pointer: pointer.replace('/1', '/*'), expected: `${expected} at ${pointer}`, actual },
    ]);
    expect(report.findings.find(({ rule }) => rule === 'contract-check-failed')?.exchanges).toHaveLength(1);
  });

  test.each([
    ['expectJson', `'flame.password', 'x'`],
    ['expectJsonLike', `{ flame: { password: 'x' } }`],
  ])('a failure of %s(%s) does not print the value of the target', async (name, given) => {
    const report = await reportOf(`${name}(${given})`);
    expect(failuresIn(report)).toMatchObject([{ pointer: '/flame/password' }]);
    expect(JSON.stringify(report)).not.toContain('planted-in-the-body');
  });

  test('a Pactum file is inconclusive in an outage, never drift', async () => {
    wrong = (what) => (what.includes('/lamps') ? { status: 503, json: {} } : undefined);
    const report = await verify({ ...options(), limits: { backoff: 5 } });
    expect([report.verdict, failuresIn(report)]).toEqual(['inconclusive', []]);
    expect(ownIn(report)['own.lamps.A lamp > shows its path']).toMatch(/^inconclusive: /);
  });

  test('a Pactum file cannot send a write that is not in the plan', async () => {
    const text = `import { spec } from 'pactum';
import { test } from 'vitest';
test('changing', () => spec().put('/lamps/lamp-' + process.hrtime()[1]).withJson({}).expect('success'));
test('only in a run', () => globalThis[Symbol.for('x')] ?? spec().get('/lamps/a').expectStatus(200));
test('more than in a rehearsal', async () => {
  const { path } = await spec().get('/lamps/b').returns('.');
  if (path === '/lamps/b') await spec().put('/lamps/b').withJson({ on: true }).expect('success');
});\n`;
    await put('contracts/lamps.contract.js', text);
    const report = await verify({ ...options(), ...WRITES });
    const own = ownIn(report);
    expect(own['own.lamps.changing']).toBe('passed: nothing to compare');
    expect(own['own.lamps.more than in a rehearsal']).toMatch(
      /^failed: .*the plan of the run does not have this write/,
    );
    expect(seen.filter((what) => what.startsWith('PUT /lamps/b'))).toEqual([]);
    await put('contracts/lamps.contract.js', OWN);
  });
});

describe('own checks beside a configuration', () => {
  const checks = () => join(dir, 'mine');
  const failing = `import { spec } from 'pactum';
import { test } from 'vitest';
test('a lamp shines', () => spec().get('/lamps/b').expectJson('path', '/lamps/c'));
test('a lamp is there', () => spec().get('/lamps/b').expectStatus(200));\n`;
  beforeEach(() => put('mine/lamps.contract.js', failing));
  afterEach(() => rm(checks(), { recursive: true }));

  test('own checks run with the checks of the contract, and a failed one is an error of its own rule', async () => {
    const report = await verify({ ...options(), checks: checks() });
    expect(report.checks.filter(({ source }) => source === 'own').map(({ id, outcome }) => [id, outcome])).toEqual([
      ['own.lamps.a lamp shines', 'failed'],
      ['own.lamps.a lamp is there', 'passed'],
    ]);
    expect(report.checks.find(({ id }) => id === 'lamps.answers.showLamp')).toMatchObject({ outcome: 'passed' });
    expect(report.findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        rule: 'own-check-failed',
        operationId: 'showLamp',
        pointer: '/path',
        message: 'Your check own.lamps.a lamp shines expected "/lamps/c" at /path and got another string.',
        checks: ['own.lamps.a lamp shines'],
      },
    ]);
    expect(report.exitCode).toBe(1);
  });

  test('own checks are inconclusive in an outage', async () => {
    wrong = (what) => (what.includes('/lamps') ? { status: 503, json: {} } : undefined);
    const report = await verify({ ...options(), checks: checks(), limits: { backoff: 5 } });
    expect(report.checks.filter(({ source }) => source === 'own').map(({ outcome }) => outcome)).toEqual([
      'inconclusive',
      'inconclusive',
    ]);
    expect(report.findings).toEqual([]);
  });

  test('own checks send a write only if the plan of the run has it', async () => {
    const write = `import { spec } from 'pactum';
import { test } from 'vitest';
test('lights', () => spec().post('/lamps/a/flames').withJson({ name: 'Eve' }).expectStatus(201));\n`;
    await put('mine/lamps.contract.js', write);
    const reading = await verify({ ...options(), checks: checks() });
    expect(ownIn(reading)['own.lamps.lights']).toBe('skipped: write calls need --allow write');
    const rows = await plan({ ...options(), ...WRITES, checks: checks() });
    expect(rows.map(({ checkId }) => checkId)).toContain('own.lamps.lights');
    expect(ownIn(await verify({ ...options(), ...WRITES, checks: checks() }))['own.lamps.lights']).toMatch(/^passed/);
  });

  test.each([
    ['lamps.answers.showLamp', /Two checks have the id lamps\.answers\.showLamp, in the tool's own list and .*mine/],
    ['token.response', /Two checks have the id token\.response/],
  ])('an own check with the id %s of the engine is a mistake of the configuration', async (id, message) => {
    const text = `import { check } from 'banking-api-contract/contract';\ncheck('${id}', async () => {});\n`;
    await put('mine/lamps.contract.js', text);
    const running = verify({ ...options(), checks: checks() });
    await expect(running).rejects.toMatchObject({ code: 'config', message: expect.stringMatching(message) });
  });

  test('an own check with the id of a check of the contract is a mistake of the configuration', async () => {
    await put('contracts/lamps.contract.js', failing);
    const running = verify({ ...options(), checks: checks() });
    await expect(running).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(/own\.lamps\.a lamp shines, in .*contracts.* and .*mine/),
    });
    await rm(join(dir, 'contracts'), { recursive: true });
  });

  test.each([
    ['a syntax error', 'test(', 'config', /lamps\.contract\.js:1:6/],
    ['an import from outside', "import '../contract.yaml?raw';", 'config', /outside the contract folder/],
  ])('%s in an own file exits with 2, also with the contract of the package', async (_, text, code, message) => {
    await put('mine/lamps.contract.js', text);
    const running = verify({ target: 'mock', checks: checks() });
    await expect(running).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('F4: own code reads only its folder, and a link out of it is rejected', async () => {
    const code = `import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
for (const file of ['${join(dir, 'contract.yaml')}', '/etc/passwd', '/proc/self/environ'])
  test(file, () => expect(() => readFileSync(file)).toThrow(/restricted/));
test('own', () => expect(readFileSync('${join(checks(), 'lamps.contract.js')}', 'utf8')).toContain('own'));\n`;
    await put('mine/lamps.contract.js', code);
    const report = await verify({ target: 'mock', checks: checks() });
    const outcomes = report.checks.filter(({ source }) => source === 'own').map(({ outcome }) => outcome);
    expect(outcomes).toEqual(Array.from({ length: 4 }, () => 'passed'));
    await symlink(dir, join(checks(), 'out'));
    await expect(verify({ target: 'mock', checks: checks() })).rejects.toMatchObject({ code: 'spec-invalid' });
  });

  test('verify says on stderr which Pactum files of the working directory it does not use', async () => {
    const cwd = join(dir, 'team');
    await put('team/contracts/fees.contract.js', failing);
    const err = async (): Promise<string> => {
      const io = fakeIo({ cwd });
      await run(['verify', '--target', 'mock', '--report', 'json=report.json'], io);
      return io.err();
    };
    expect(await err()).toContain(`\nNot used: ${join(cwd, 'contracts')}. To run these Pactum files, set checks`);
    await put('team/banking-api.config.yaml', 'checks: contracts\n');
    expect(await err()).not.toContain('Not used');
    await rm(cwd, { recursive: true });
  });
});

test('a run whose temporary folder is removed ends with its report, or says so in one sentence', async () => {
  const parent = join(dir, 'temporary');
  await mkdir(parent);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = parent;
  try {
    const running = verify(options()).then(
      ({ exitCode }) => exitCode,
      (error) => error.code,
    );
    await vi.waitFor(async () => expect(await readdir(parent)).not.toEqual([]), { timeout: 20_000, interval: 5 });
    await rm(parent, { recursive: true });
    // nothing can be written there any more
    await writeFile(parent, '');
    expect([0, 'file-unwritable']).toContain(await running);
  } finally {
    process.env.TMPDIR = before;
    if (before === undefined) delete process.env.TMPDIR;
    await rm(parent, { recursive: true });
  }
});

describe('packages beside the code of a contract folder', () => {
  /** As pnpm and npm workspaces lay them out: links to packages outside of the folder. */
  beforeEach(async () => {
    for (const path of ['store/left', 'node_modules/.pnpm/right']) {
      await put(`../${path}/package.json`, '{ "name": "x", "type": "module", "exports": "./index.js" }');
      await put(`../${path}/index.js`, 'export const seven = 7;\n');
    }
    await put('node_modules/plain/index.js', 'export const plain = 1;\n');
    await symlink('../../store/left', join(dir, 'node_modules/left'));
    await symlink('../../node_modules/.pnpm/right', join(dir, 'node_modules/right'));
  });
  afterEach(async () => {
    for (const name of ['contracts', 'node_modules', 'shortcut', '../store', '../node_modules'])
      await rm(join(dir, name), { recursive: true, force: true });
  });

  test('links in node_modules that lead out of the folder do not stop its checks, and cannot be read', async () => {
    await mkdir(join(dir, 'contracts'));
    await symlink('node_modules', join(dir, 'shortcut'));
    await symlink('../node_modules', join(dir, 'contracts/again'));
    await put('node_modules/*', '');
    const paths = ['node_modules', 'shortcut', 'contracts/again', 'contracts/../node_modules', 'node_modules/*/..'];
    const code = `import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plain } from '../node_modules/plain/index.js';
for (const path of ${JSON.stringify(paths)})
  test(path, () => expect(() => readFileSync('${dir}/' + path + '/left/index.js')).toThrow(/restricted/));
test('plain', () => expect(plain).toBe(1));
test('own', () => expect(readFileSync('${join(dir, 'spec/openapi.yaml')}', 'utf8')).toContain('Lighthouse'));\n`;
    await put('contracts/x.contract.js', code);
    const own = ownIn(await verify(options()));
    expect(Object.values(own)).toEqual(Array.from({ length: paths.length + 2 }, () => 'passed: '));
  });

  test.each(['left', 'right'])('a package (%s) is read only if it lies below contractRoot', async (name) => {
    const code = `import { seven } from '${name}';
import { expect, test } from 'vitest';
test('named', () => expect(seven).toBe(7));\n`;
    await put('contracts/x.contract.js', code);
    await expect(verify(options())).rejects.toMatchObject({
      code: 'config',
      hint: expect.stringContaining('contractRoot'),
    });
    const wide = await readContractFolder(dir, dirname(dir));
    expect(ownIn(await verify({ ...options(), folder: wide }))).toEqual({ 'own.x.named': 'passed: ' });
  });
});

describe('code of a contract folder', () => {
  afterEach(() => rm(join(dir, 'contracts'), { recursive: true }));

  test.each([
    ['two tests with the same name', "test('a', () => {});\ntest('a', () => {});", /Two checks have the id own\.x\.a/],
    [
      'a test with an id of the engine',
      "check('token.response', async () => {});\ncheck('token.response', async () => {});",
      /Two checks have the id token\.response/,
    ],
    ['a file that cannot be loaded', "import './missing.js';", /cannot be run: .*x\.contract\.js/],
    ['a syntax error, without colours,', 'test(', /x\.contract\.js:\d+:\d+ \]/],
    ['an external module', "import '/etc/hostname?raw';", /outside the contract folder/],
  ])('%s is reported as a mistake of the folder', async (_, text, message) => {
    await put(
      'contracts/x.contract.js',
      `import { check } from 'banking-api-contract/contract';\nimport { test } from 'vitest';\n${text}\n`,
    );
    await expect(verify(options())).rejects.toMatchObject({ code: 'config', message: expect.stringMatching(message) });
  });

  /** vite reads the sources of a map outside the worker. */
  const MAP = Buffer.from(
    JSON.stringify({ version: 3, sources: [join(packageRoot, 'package.json')], names: [], mappings: 'AAAA' }),
  ).toString('base64');

  test('F4: the code of a folder sees no variable, credential or target, and no outside file', async () => {
    process.env.BANKING_API_PASSWORD = 'a-secret-of-the-keeper';
    try {
      await put(
        'contracts/x.contract.js',
        `import { readFileSync } from 'node:fs';
import { ChildProcess, execSync } from 'node:child_process';
import { kill } from 'node:process';
import { expect, inject, test } from 'vitest';
test('environment', () => {
  const all = JSON.stringify([inject('suite'), process.env]);
  expect(all).not.toContain('a-secret-of-the-keeper');
  expect(all).not.toContain('${options().target}');
  expect(process.env.PATH).toBeUndefined();
});
for (const file of ['/proc/self/environ', '/proc/' + process.ppid + '/environ', '/etc/passwd', '${join(packageRoot, 'tsconfig.json')}'])
  test(file, () => expect(() => readFileSync(file)).toThrow(/restricted/));
test('own file', () => expect(readFileSync('${join(dir, 'contract.yaml')}', 'utf8')).toContain('lighthouse'));
for (const [name, act] of Object.entries({
  program: () => execSync('id'),
  signal: () => kill(process.ppid, 'SIGUSR1'),
  'signal to the group': () => new ChildProcess()._handle.kill(10),
  debugger: () => process._debugProcess(process.ppid),
}))
  test(name, () => expect(act).toThrow(/restricted/));
test('SQLite', () => expect(process.getBuiltinModule('node:sqlite')).toBe(undefined));
test('attachment', ({ annotate }) => expect(annotate('a', { path: '/proc/self/environ' })).rejects.toThrow());
test('source map', async () => {
  const { rpc } = globalThis.__vitest_worker__;
  const fetched = await rpc.fetch(import.meta.url, undefined, 'ssr', {});
  const code = fetched.code ?? readFileSync(fetched.tmp ?? fetched.tmpPath, 'utf8');
  const maps = code.split('base64,').map((text) => Buffer.from(text, 'base64').toString());
  expect(maps.some((map) => map.includes('sourcesContent'))).toBe(true);
  expect(maps.join()).not.toContain('devDepend' + 'encies');
});
//# sourceMappingURL=data:application/json;base64,${MAP}\n`,
      );
      const own = ownIn(await verify(options()));
      expect(Object.values(own)).toEqual(Array.from({ length: 13 }, () => 'passed: '));
    } finally {
      delete process.env.BANKING_API_PASSWORD;
    }
  });

  test('F4: code does not run if a link leads out of the folder', async () => {
    await put('contracts/x.contract.js', "import { test } from 'vitest';\ntest('a', () => {});\n");
    await symlink('/', join(dir, 'contracts/world'));
    await expect(verify(options())).rejects.toMatchObject({ code: 'spec-invalid' });
  });

  test('F4: code is stopped when its time is up, and its unfinished checks are inconclusive', async () => {
    await put('contracts/x.contract.js', "import { test } from 'vitest';\ntest('loop', () => { for (;;); });\n");
    const began = performance.now();
    const { checks, exitCode } = await verify({ ...options(), limits: { duration: 3 } });
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(exitCode).toBe(4);
    expect(checks.filter(({ outcome }) => outcome === 'inconclusive').map(({ reason }) => reason)).toContain(
      'the time of the run was up before the check ended',
    );
  });
});
