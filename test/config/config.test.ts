import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { CONFIG_FILE } from '../../src/config/chosen-contract.ts';
import { type Config, type ConfigFlags, loadConfig } from '../../src/config/config.ts';
import { factSchema } from '../../src/config/file.ts';
import { ownFolder } from '../../src/contract/folder.ts';
import { ToolError } from '../../src/errors.ts';
import { publishedSchema, schemaPaths } from '../../src/files/schema.ts';
import { variablesOf } from '../../src/model/variables.ts';
import { DIRECT } from '../../src/net/network.ts';
import { packageRoot } from '../../src/package-root.ts';
import { contractFolder } from '../support/api.ts';
import { POSIX } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let cwd: string;
beforeEach(async () => {
  cwd = await temporaryFolder();
});

async function load(
  yaml: string | null,
  flags: ConfigFlags = { target: 'mock' },
  env: Record<string, string> = {},
): Promise<Config> {
  if (yaml !== null) await writeFile(join(cwd, CONFIG_FILE), yaml);
  return loadConfig({ cwd, env, flags });
}

const MOCK: ConfigFlags = { target: 'mock' };

async function refusal(
  yaml: string | null,
  flags: ConfigFlags = {},
  env: Record<string, string> = {},
): Promise<ToolError> {
  const error = await load(yaml, flags, env).catch((thrown: unknown) => thrown);
  if (error instanceof ToolError) return error;
  throw new Error('it was taken', { cause: error });
}

describe('the configuration', () => {
  it.each([
    ['discover: never', /1:11 \(at \/discover\): It must be boolean/],
    ['skip: { getCard: { reason: r } }', /until/],
    ['skip: { getCard: { reason: r, until: soon } }', /1:38 \(at \/skip\/getCard\/until\): .*YYYY-MM-DD/],
    ["skip: { getCard: { reason: '', until: '2027-01-01' } }", /1:28 \(at \/skip\/getCard\/reason\)/],
  ])('%s is an error with its place', async (yaml, said) => {
    expect((await refusal(yaml, MOCK)).describe()).toMatch(said);
  });

  it('keeps the place of each skip for later messages', async () => {
    const { skip } = await load("skip: { getCard: { reason: r, until: '2027-01-01' } }", MOCK);
    expect(skip).toMatchObject({ getCard: { reason: 'r', until: '2027-01-01', place: { line: 1, column: 9 } } });
  });

  it('without a config file the target is the embedded mock, with reads only and default times and limits', async () => {
    expect(await load(null)).toEqual({
      file: null,
      target: 'mock',
      targetFrom: 'flag',
      credentials: null,
      variables: variablesOf(),
      tlsVerified: true,
      headers: [],
      network: DIRECT,
      httpAllowedOn: [],
      tokenAllowedOn: [],
      writesAllowedOn: [],
      requestIds: ['x-request-id', 'x-correlation-id', 'traceparent'],
      effects: {},
      severity: {},
      expendable: [],
      allow: 'read',
      probe: false,
      requireCoverage: {},
      repeatReads: 2,
      discover: true,
      skip: {},
      facts: {},
      folder: ownFolder,
      overlays: [],
      parameters: {},
      profile: undefined,
      baseline: undefined,
      reports: ['text'],
      timeouts: { connect: 5, firstByte: 10, call: 30, dead: expect.any(Number), retryAfter: 30 },
      limits: {
        bodyBytes: 10_485_760,
        concurrency: 2,
        perSecond: 100,
        requests: 2000,
        retries: 2,
        backoff: 250,
        duration: 600,
      },
    });
  });

  it('T17: a run knows from the environment if certificates are not checked', async () => {
    expect((await load(null, { target: 'mock' }, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).tlsVerified).toBe(false);
    expect((await load(null, { target: 'mock' }, { NODE_TLS_REJECT_UNAUTHORIZED: '1' })).tlsVerified).toBe(true);
  });

  it('banking-api.config.yaml is read from the folder, and its file names are relative to it', async () => {
    const config = await load(
      `target: { baseUrl: https://file.example/api/ }
writesAllowedOn: [file.example]
expendable: ["42"]
overlays: [overlays/a.yaml]
baseline: base.yaml
reports: [text, json=out/report.json]
parameters: { customerId: "0042", extraId: x }
card: { physical: true, currency: GBP }
timeouts: { call: 3 }
limits: { concurrency: 1 }
`,
      { overlays: ['b.yaml'] },
    );
    expect(config).toMatchObject({
      file: join(cwd, CONFIG_FILE),
      target: 'https://file.example/api',
      targetFrom: 'file',
      overlays: [join(cwd, 'overlays/a.yaml'), join(cwd, 'b.yaml')],
      baseline: join(cwd, 'base.yaml'),
      reports: ['text', `json=${join(cwd, 'out/report.json')}`],
      parameters: { customerId: '0042', extraId: 'x' },
      facts: { card: { physical: true, currency: 'GBP' } },
      timeouts: { connect: 5, call: 3 },
      limits: { concurrency: 1, retries: 2 },
    });
  });

  it('a flag overrides the environment, which overrides the file', async () => {
    const yaml = 'target: { baseUrl: https://file.example }\nallow: write\nreports: [text]\n';
    const env = { BANKING_API_BASE_URL: 'https://env.example' };
    expect(
      await load(yaml, { target: 'https://flag.example', allow: 'destructive', reports: ['json'] }, env),
    ).toMatchObject({
      target: 'https://flag.example',
      targetFrom: 'flag',
      allow: 'destructive',
      reports: ['json'],
    });
    expect(await load(yaml, { target: 'mock' }, env)).toMatchObject({ target: 'mock', targetFrom: 'flag' });
    expect(await load(yaml, {}, env)).toMatchObject({ target: 'https://env.example', allow: 'write' });
    expect(await load(yaml)).toMatchObject({ target: 'mock' });
    expect(await load(yaml, {})).toMatchObject({ target: 'https://file.example' });
  });

  it('a target must be set, and an empty variable does not count', async () => {
    const [file, empty] = ['target: { baseUrl: https://file.example }\n', { BANKING_API_BASE_URL: '' }];
    const missing = await refusal(null, {});
    expect([missing.code, missing.exitCode]).toEqual(['config', 2]);
    for (const way of ['--target mock', 'BANKING_API_BASE_URL', 'target.baseUrl']) expect(missing.hint).toContain(way);
    expect(await refusal(file, {}, empty)).toMatchObject({ code: 'config', message: 'BANKING_API_BASE_URL is empty.' });
    expect((await load(file, { target: 'mock' }, empty)).target).toBe('mock');
    expect((await loadConfig({ cwd, env: empty, sends: false })).file).toBe(join(cwd, CONFIG_FILE));
  });

  it('the configuration is deeply frozen', async () => {
    const config = await load('parameters: { customerId: a }\n');
    expect(Object.isFrozen(config) && Object.isFrozen(config.parameters) && Object.isFrozen(config.reports)).toBe(true);
  });

  it('the environment is an argument and not read from the process', async () => {
    process.env.BANKING_API_BASE_URL = 'https://process.example';
    try {
      expect((await load('target: { baseUrl: https://file.example }\n', {})).target).toBe('https://file.example');
    } finally {
      delete process.env.BANKING_API_BASE_URL;
    }
  });

  it.each([
    [
      'an unknown key',
      'probe: true\nwritesAllowdOn: [a]\n',
      2,
      1,
      /no key "writesAllowdOn".*Did you mean writesAllowedOn\?/,
    ],
    ['a nested unknown key', 'timeouts:\n  first_byte: 3\n', 2, 3, /Did you mean firstByte\?/],
    ['a key of another section', 'baseUrl: https://x.example\n', 1, 1, /Did you mean target\.baseUrl\?/],
    ['a wrong type', 'probe: maybe\n', 1, 8, /must be boolean/],
    ['an id without quotes', 'parameters:\n  customerId: 0042\n', 2, 15, /must be string\. Put it in quotes\./],
    ['a wrong word', 'allow: writes\n', 1, 8, /one of "read", "write", "destructive"/],
    [
      'a severity of an unknown rule',
      'target: { baseUrl: https://x.example }\nseverity: { unrecorded-feild: { severity: info, reason: r } }\n',
      2,
      13,
      /no rule unrecorded-feild\. Did you mean unrecorded-field\?/,
    ],
    ['a severity without a reason', 'severity: { unrecorded-field: { severity: info } }\n', 1, 31, /reason/],
    ['a limit out of bounds', 'limits: { concurrency: 0 }\n', 1, 24, /must be >= 1/],
    ['a URL in place of a host', 'writesAllowedOn: ["https://x.example"]\n', 1, 19, /form/],
    ['an invalid URL', 'target:\n  baseUrl: "https://"\n', 2, 12, /target\.baseUrl: This is no URL/],
    ['broken YAML', 'probe: [\n', 2, 1, /Flow sequence/],
    ['a duplicate key', 'probe: true\nprobe: false\n', 2, 1, /twice/],
    ['a list', '- a\n', 1, 1, /must be object/],
  ])('an error names file, line and column of %s', async (_what, yaml, line, column, message) => {
    const error = await refusal(yaml);
    expect(error.code).toBe('config');
    expect(error.exitCode).toBe(2);
    expect(error.describe()).toMatch(message);
    expect(error.place).toMatchObject({ file: join(cwd, CONFIG_FILE), line, column });
  });

  it('checks is a folder with Pactum files below the configuration, with its links resolved', POSIX, async () => {
    await mkdir(join(cwd, 'mine/deep'), { recursive: true });
    await symlink(packageRoot, join(cwd, 'out'));
    for (const folder of ['.', '..', 'none', 'out/contracts', 'mine/deep', CONFIG_FILE]) {
      expect(await refusal(`checks: ${folder}\n`, MOCK)).toMatchObject({
        code: 'config',
        message: `${folder} is no folder below this file with Pactum files.`,
        place: { line: 1, column: 9 },
      });
    }
    await writeFile(join(cwd, 'mine/deep/fees.contract.ts'), '');
    await symlink('mine/deep', join(cwd, 'link'));
    expect((await load('checks: link\n')).checks).toBe(join(await realpath(cwd), 'mine/deep'));
  });

  it('an empty file is accepted', async () => {
    expect((await load('# nothing yet\n')).target).toBe('mock');
  });

  it('a missing --config file is named', async () => {
    expect(await refusal(null, { config: 'none.yaml' })).toMatchObject({
      code: 'file-missing',
      place: { file: join(cwd, 'none.yaml') },
    });
  });

  it('an alias bomb is not expanded', async () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg'])
      bomb.push(`${to}: &${to} [${`*${from}, `.repeat(9)}]`);
    expect(await refusal(bomb.join('\n'))).toMatchObject({ code: 'config' });
  });
});

describe('credentials', () => {
  it('credentials come from the environment', async () => {
    const env = { BANKING_API_USERNAME: 'bob', BANKING_API_PASSWORD: 'p:w' };
    expect((await load(null, { target: 'https://x.example' }, env)).credentials).toEqual({
      username: 'bob',
      password: 'p:w',
    });
  });

  it.each([
    [{ BANKING_API_USERNAME: 'bob' }, /BANKING_API_PASSWORD is not/],
    [{ BANKING_API_PASSWORD: 'hunter2-hunter2' }, /BANKING_API_USERNAME is not/],
    [{ BANKING_API_USERNAME: 'b:b', BANKING_API_PASSWORD: 'hunter2-hunter2' }, /colon/],
    [{ BANKING_API_USERNAME: 'bob', BANKING_API_PASSWORD: 'hunter2\n' }, /BANKING_API_PASSWORD holds a line end/],
    [{ BANKING_API_USERNAME: 'bob\u0000', BANKING_API_PASSWORD: 'hunter2' }, /BANKING_API_USERNAME holds a line end/],
  ])('credentials need both parts, a name without a colon, and no control characters', async (env, message) => {
    const error = await refusal(null, { target: 'https://x.example' }, env);
    expect(error.message).toMatch(message);
    expect(error.describe()).not.toContain('hunter2');
  });

  it('credentials are neither required for nor passed to the embedded mock', async () => {
    const env = { BANKING_API_USERNAME: 'bob', BANKING_API_PASSWORD: 'p:w' };
    expect((await load(null, { target: 'mock' }, env)).credentials).toBeNull();
    expect((await load(null, { target: 'mock' }, { BANKING_API_USERNAME: 'bob' })).credentials).toBeNull();
  });

  it.each([
    ['password: hunter2\n', 1, 1],
    ['target:\n  baseUrl: https://x.example\n  clientSecret: hunter2\n', 3, 3],
  ])('D9: credentials in the config file are rejected without repeating them: %j', async (yaml, line, column) => {
    const error = await refusal(yaml);
    expect(error.describe()).toMatch(/Credentials do not belong into a file\. They come from BANKING_API_USERNAME/);
    expect(error.describe()).not.toContain('hunter2');
    expect(error.place).toMatchObject({ line, column });
  });

  it('credentials come from the variables that the config file names', async () => {
    const yaml = 'credentials: { username: "env:BANK_USER", password: "env:BANK_PASSWORD" }\n';
    const target = { target: 'https://x.example' };
    const env = {
      BANK_USER: 'bob',
      BANK_PASSWORD: 'p:w',
      BANKING_API_USERNAME: 'other',
      BANKING_API_PASSWORD: 'other',
    };
    expect((await load(yaml, target, env)).credentials).toEqual({ username: 'bob', password: 'p:w' });
    expect((await load(yaml, MOCK)).credentials).toBeNull();
    const unset = await refusal(yaml, target, { ...env, BANK_PASSWORD: '' });
    expect(unset.describe()).toMatch(/1:53 .*The environment variable BANK_PASSWORD is not set/);
    const colon = await refusal(yaml, target, { ...env, BANK_USER: 'b:b' });
    expect(colon.message).toMatch(/BANK_USER holds a colon/);
  });

  it('the prefix of the config file changes every variable, except those that it names for the credentials', async () => {
    const env = {
      ACME_BASE_URL: 'https://acme.example',
      ACME_USERNAME: 'a',
      ACME_PASSWORD: 'b',
      ACME_TOKEN: 'c.d_e~1==',
    };
    const others = {
      BANKING_API_BASE_URL: '',
      BANKING_API_USERNAME: 'x',
      BANKING_API_PASSWORD: 'y',
      BANKING_API_TOKEN: 'z',
    };
    const config = await load('environment: ACME\n', {}, { ...others, ...env });
    expect(config).toMatchObject({
      target: 'https://acme.example',
      credentials: { username: 'a', password: 'b' },
      token: 'c.d_e~1==',
    });
    const named = 'environment: ACME\ncredentials: { username: "env:U", password: "env:P" }\n';
    expect(await load(named, {}, { ...env, U: 'u', P: 'p' })).toMatchObject({
      credentials: { username: 'u', password: 'p' },
      token: 'c.d_e~1==',
      variables: { username: 'U', password: 'P', baseUrl: 'ACME_BASE_URL' },
    });
    const error = await refusal('environment: ACME\n', {}, {});
    expect(error.hint).toContain('set ACME_BASE_URL');
  });

  it.each(['AC-ME', 'ACME_', '""', '1A', 'A'])('environment: %s is an error', async (prefix) => {
    expect((await refusal(`environment: ${prefix}\n`, MOCK)).describe()).toMatch(/1:14 \(at \/environment\)/);
  });

  it('a contract folder cannot choose the prefix', async () => {
    const document = 'openapi: 3.1.1\ninfo: { title: A, version: "1" }\nx-environment: ACME\npaths: {}\n';
    const folder = await contractFolder(document);
    const flags = { contract: folder.dir, target: 'https://x.example' };
    const { variables, credentials } = await load(null, flags, { ACME_USERNAME: 'a', ACME_PASSWORD: 'b' });
    expect([variables, credentials]).toEqual([variablesOf(), null]);
  });

  it.each(['Bearer abc', 'abc\n', 'a"b'])('the token %j is rejected and not repeated', async (token) => {
    const error = await refusal(null, { target: 'https://x.example' }, { BANKING_API_TOKEN: token });
    expect(error.describe()).toMatch(/BANKING_API_TOKEN is no bearer token/);
    expect(error.describe()).not.toContain('abc');
    expect((await load(null, MOCK, { BANKING_API_TOKEN: token })).token).toBeUndefined();
  });

  it.each([
    ['credentials: { username: bob, password: "env:P" }', /at \/credentials\/username\): .*env:NAME/],
    ['credentials: { username: "env:U" }', /password/],
    ['credentials: { username: "env:U", password: hunter2 }', /Credentials do not belong .* Write env:NAME/],
    ['credentials: { username: "env:U", password: "file:hunter2" }', /at \/credentials\/password\): .*env:NAME/],
  ])('the config file names variables of credentials, and never a value: %j', async (yaml, said) => {
    const error = await refusal(yaml, { target: 'https://x.example' });
    expect(error.describe()).toMatch(said);
    expect(error.describe()).not.toContain('hunter2');
  });

  it('a passphrase in the config file is rejected with the permitted ways to pass it', async () => {
    const error = await refusal('network: { pfx: client.p12, passphrase: hunter2 }\n');
    expect(error.describe()).toMatch(
      /Credentials do not belong into a file\. Write passphrase: env:NAME, or file:PATH;/,
    );
    expect(error.describe()).not.toContain('hunter2');
  });

  it.each([
    ['file', 'target: { baseUrl: "https://bob:hunter2@x.example" }', {}, {}, 'config'],
    ['flag', null, { target: 'https://bob:hunter2@x.example' }, {}, 'usage'],
    ['environment', null, {}, { BANKING_API_BASE_URL: 'https://bob:hunter2@x.example' }, 'config'],
  ])(
    'D9: credentials in a URL of the %s are rejected without repeating them',
    async (_where, yaml, flags, env, code) => {
      const error = await refusal(yaml, flags, env as Record<string, string>);
      expect(error.code).toBe(code);
      expect(error.describe()).toMatch(/must not hold credentials/);
      expect(error.describe()).not.toContain('hunter2');
    },
  );

  it('the error for an invalid file does not quote it', async () => {
    const error = await refusal('target: { baseUrl: "https://bob:hunter2@x.example }\n');
    expect(error.describe()).not.toContain('hunter2');
  });
});

it.each(['ftp://x.example', 'x.example', 'https://x.example?a=1', 'https://x.example#a', ''])(
  'the target %j is rejected',
  async (target) => {
    expect(await refusal(null, { target })).toMatchObject({ code: 'usage' });
  },
);

it('a contract folder is relative to the config file, a flag overrides it, and a missing folder is an error', async () => {
  await mkdir(join(cwd, 'pigeons'));
  await writeFile(join(cwd, 'pigeons/contract.yaml'), 'contract: 1\nname: pigeons\n');
  expect((await load('contract: pigeons\n')).folder).toMatchObject({ name: 'pigeons', dir: join(cwd, 'pigeons') });
  expect((await load('contract: nowhere\n', { target: 'mock', contract: 'pigeons' })).folder.name).toBe('pigeons');
  expect(await refusal('contract: nowhere\n')).toMatchObject({ code: 'file-missing' });
});

it('the published schema and the code have the same defaults', async () => {
  const schema = JSON.parse(await readFile(join(packageRoot, 'schemas/config.schema.json'), 'utf8'));
  const config = await load(null);
  for (const section of ['timeouts', 'limits'] as const) {
    const properties: Record<string, { default: number }> = schema.properties[section].properties;
    const defaults = Object.entries(properties).map(([key, property]) => [key, property.default]);
    const inFile = section === 'limits' ? { ...config.limits, backoff: config.limits.backoff / 1000 } : config.timeouts;
    expect(Object.fromEntries(defaults)).toEqual(inFile);
  }
});

it('the published schema contains the facts of the packaged contract', async () => {
  const schema = await publishedSchema('config');
  for (const [key, group] of Object.entries(ownFolder.facts)) {
    expect(schema.properties?.[key]).toEqual(factSchema(group));
  }
});

describe('facts of another contract', () => {
  const contract = join(packageRoot, 'examples/second-api');
  const read = async (yaml: string): Promise<unknown> => {
    await writeFile(join(cwd, CONFIG_FILE), yaml);
    return (await loadConfig({ cwd, env: {}, flags: { contract, target: 'mock' } })).facts;
  };

  it('facts of another contract have its names', async () => {
    expect(await read('letter: { overseas: false, valueCurrency: SEK }\n')).toEqual({
      letter: { overseas: false, valueCurrency: 'SEK' },
    });
    const config = await load(`letter: { overseas: true }\ncontract: ${contract}\n`);
    expect(config).toMatchObject({ facts: { letter: { overseas: true } }, folder: { name: 'pigeon-post' } });
  });

  it.each([
    ['a fact of the packaged contract', 'card: { physical: true }\n', 1, 1, /no key "card"/],
    ['a misspelled member', 'letter:\n  oversea: true\n', 2, 3, /Did you mean overseas\?/],
    ['a misspelled group', 'leter: { overseas: true }\n', 1, 1, /Did you mean letter\?/],
    ['a wrong type', 'letter: { overseas: 1 }\n', 1, 21, /must be boolean/],
    ['no currency', 'letter: { valueCurrency: krone }\n', 1, 26, /form/],
  ])('wrong facts are rejected with file, line and column: %s', async (_what, yaml, line, column, message) => {
    const error = await read(yaml).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'config', place: { file: join(cwd, CONFIG_FILE), line, column } });
    expect((error as ToolError).describe()).toMatch(message);
  });
});

it('the published schema contains every key that the code reads', async () => {
  expect(schemaPaths(await publishedSchema('config'))).toEqual(
    expect.arrayContaining(
      'target.baseUrl limits.duration timeouts.retryAfter card.provider parameters.cardId profile'.split(' '),
    ),
  );
});
