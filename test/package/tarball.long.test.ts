import { spawnSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VALIDATORS } from '../../generated/validators/by-name.ts';
import { packageRoot } from '../../src/package-root.ts';
import { installPacked, linkFromClone, type Project, runIn } from './installed.ts';

const HEAVY = /\/node_modules\/(@stoplight|vitest|@vitest|pactum|ajv|ajv-formats)\//;

let project: Project;
beforeAll(async () => {
  project = await installPacked();
}, 120_000);
afterAll(() => rm(project.folder, { recursive: true, force: true }));

const kebab = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
const LIGHT = [
  'validators',
  'client',
  ...['axios', 'got', 'ky', 'openapi-fetch', 'undici'].map((name) => `client/${name}`),
  'types',
  ...Object.keys(VALIDATORS).map((name) => `validators/${kebab(name)}`),
];

describe('the packed tarball', () => {
  it('C5: the tarball contains exactly the files for users', () => {
    const odd = project.files.filter(
      (path) =>
        !/^(package\.json|README\.md|LICEN[CS]E|CHANGELOG\.md|llms\.txt|action\.yml|(contract|policy)\.yaml|(bin|dist|spec|mocks|schemas|docs|examples|ci|generated\/engines)\/.+)$/.test(
          path,
        ),
    );
    expect(odd).toEqual([]);
    expect(
      project.files.filter((path) => /(^|\/)(\.env|(test|scripts|bench|node_modules)\/|\.tsbuildinfo)/.test(path)),
    ).toEqual([]);
    // applications under examples/ are copied, not run here
    expect(project.files.filter((path) => /^(?!examples\/).*(?<!\.d)\.ts$/.test(path))).toEqual([]);
  });

  it('C1: the package runs nothing when it is installed', () => {
    expect(Object.keys(project.manifest.scripts).filter((name) => /^((pre|post)?install|prepare)$/.test(name))).toEqual(
      [],
    );
  });

  it('the tarball exports every validator, schema and document under its own subpath', () => {
    const subpaths = Object.keys(project.manifest.exports);
    expect(subpaths).toEqual(
      expect.arrayContaining([
        '.',
        ...LIGHT.map((path) => `./${path}`),
        './schemas/*.json',
        './openapi.json',
        './openapi.yaml',
        './openapi.mock.json',
        './types/mock',
      ]),
    );
    const targets = JSON.stringify(project.manifest.exports).match(/\.\/(dist|bin|spec|schemas)[^"*]+(?=")/g) ?? [];
    for (const target of targets) expect(project.files).toContain(target.slice(2));
  });

  it.each(LIGHT)('C3: importing ./%s loads no other package', async (path) => {
    const { loaded } = await runIn(project.folder, `await import('banking-api-contract/${path}');`);
    expect(loaded.filter((url) => url.includes('/node_modules/'))).not.toEqual([]);
    expect(
      loaded.filter((url) => url.includes('/node_modules/') && !url.includes('/node_modules/banking-api-contract/')),
    ).toEqual([]);
    expect(loaded.filter((url) => url.startsWith('file:') && !url.includes(project.folder))).toEqual([]);
  });

  it('importing the package loads no engine, and works without engines', async () => {
    const { loaded, printed } = await runIn(
      project.folder,
      "const { startMock, createTokenProvider } = await import('banking-api-contract'); process.stdout.write(typeof startMock + typeof createTokenProvider);",
    );
    expect(printed).toBe('functionfunction');
    expect(loaded.filter((url) => HEAVY.test(url) && !/\/node_modules\/ajv(-formats)?\//.test(url))).toEqual([]);
  });

  it('the installed validators work, and the documents can be read', async () => {
    const { printed } = await runIn(
      project.folder,
      `import { readFile } from 'node:fs/promises';
       import { fileURLToPath } from 'node:url';
       import { Card, Token } from 'banking-api-contract/validators';
       import { Card as Alone } from 'banking-api-contract/validators/card';
       import schema from 'banking-api-contract/schemas/card.json' with { type: 'json' };
       import openapi from 'banking-api-contract/openapi.json' with { type: 'json' };
       const yaml = await readFile(fileURLToPath(import.meta.resolve('banking-api-contract/openapi.yaml')), 'utf8');
       process.stdout.write(JSON.stringify([Alone === Card, Token.is({}), schema.title, openapi.openapi, /^openapi: .?3\\.1\\.1/m.test(yaml)]));`,
    );
    expect(JSON.parse(printed)).toEqual([true, false, 'Card', '3.1.1', true]);
  });
});

it('the installed command validates a file', async () => {
  await writeFile(join(project.folder, 'card.json'), '{"token": 1}');
  const command = join(project.folder, 'node_modules/banking-api-contract/bin/banking-api.js');
  const { stdout, status } = spawnSync(process.execPath, [command, 'validate', 'Card', 'card.json'], {
    cwd: project.folder,
    encoding: 'utf8',
  });
  expect(stdout).toBe('card.json:1:11 (at /token): expected string, found integer\n');
  expect(status).toBe(1);
});

it('the installed command runs the suite in a folder whose name has characters of patterns', async () => {
  for (const name of ['pactum', 'vitest']) await linkFromClone(project.folder, name);
  const command = join(project.folder, 'node_modules/banking-api-contract/bin/banking-api.js');
  const { stdout, status } = spawnSync(process.execPath, [command, 'verify', '--target', 'mock'], {
    cwd: project.folder,
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^AGREES: 45 of 45 operations called/);
  expect(status).toBe(0);
});

describe('a missing engine', () => {
  const LINE = 'npm install --save-dev @stoplight/spectral-cli';

  /** Runs `lint` on a pseudo terminal, with an npm that links the packages it should install. */
  async function lintOnTerminal(answer: string): Promise<{ readonly code: number | null; readonly told: string }> {
    const bin = join(project.folder, 'bin');
    await mkdir(bin, { recursive: true });
    const npm = `#!/bin/sh
echo "npm $*"
mkdir -p node_modules/@stoplight && ln -s '${packageRoot}/node_modules/@stoplight/spectral-cli' node_modules/@stoplight/
`;
    await writeFile(join(bin, 'npm'), npm, { mode: 0o755 });
    const command = `'${process.execPath}' node_modules/.bin/banking-api lint`;
    await mkdir(join(project.folder, 'node_modules/.bin'), { recursive: true });
    const linked = join(project.folder, 'node_modules/.bin/banking-api');
    await rm(linked, { force: true });
    await symlink('../banking-api-contract/bin/banking-api.js', linked);
    const { CI: _, ...env } = process.env;
    const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
      cwd: project.folder,
      encoding: 'utf8',
      input: answer,
      env: { ...env, PATH: `${bin}:${process.env.PATH}` },
    });
    return { code: status, told: stdout };
  }

  it('a missing engine is named with its install command, and the exit code is 2', () => {
    const command = join(project.folder, 'node_modules/banking-api-contract/bin/banking-api.js');
    const { stderr, status } = spawnSync(process.execPath, [command, 'lint'], {
      cwd: project.folder,
      encoding: 'utf8',
    });
    expect(stderr).toBe(
      `Spectral is not installed, and lint needs it.\nInstall the missing packages: ${LINE}\nbanking-api lint: exit 2 (engine-missing)\n`,
    );
    expect(status).toBe(2);
  });

  it('a missing engine is installed on a terminal only after a yes', async () => {
    const refused = await lintOnTerminal('n\n');
    expect(refused.code).toBe(2);
    expect(refused.told).toContain(`Run ${LINE} and continue? [Y/n] `);
    const wanted = await lintOnTerminal('\n');
    expect(wanted.told).toContain('npm install --save-dev @stoplight/spectral-cli\r\n');
    expect(wanted.told).toContain('banking-api lint: exit 0');
    expect(wanted.code).toBe(0);
  }, 60_000);
});

const CONSUMER = `import { Card, IssueNewCardRequest, Token, ValidationError, type Validator } from 'banking-api-contract/validators';
import { Transaction } from 'banking-api-contract/validators/transaction';
import type { LocatedOperationId, OperationId, Operations } from 'banking-api-contract/types';
import type { Card as MockCard, LocatedOperationId as MockedOperationId, Operations as Mocked } from 'banking-api-contract/types/mock';

const value: unknown = JSON.parse('{}');
if (Token.is(value)) {
  const seconds: number = value.expires_in;
  // @ts-expect-error: it is a number, not any
  const wrong: string = value.expires_in;
  void [seconds, wrong];
}
const result = Transaction.exact.check(value);
if (result.valid) void (result.value.paymentProviderDetails?.rate satisfies number | undefined);
else for (const problem of result.problems) void (problem.pointer satisfies string);
Card.assert(value);
value.token satisfies string | undefined;
// @ts-expect-error: not documented
value.cardId;
const gbp: Validator<IssueNewCardRequest> = IssueNewCardRequest.forCurrency('GBP');
const operation: OperationId = 'createTransaction';
// @ts-expect-error: method and path are not shown
const located: LocatedOperationId = 'createTransaction';
const mocked: MockedOperationId = 'createTransaction';
const card: MockCard = { cardId: 'card-4001', status: 'ACTIVE' };
const path: Operations['getCard']['path'] = '/wallet/api/customers/{customerId}/cards/{cardId}';
const cards: Mocked['listClientCards']['response'] = [card];
const names: Mocked['getClients']['response'][number]['name'][] = [];
void [ValidationError, gbp, operation, located, mocked, card, path, cards, names];
`;

const OPENAPI_FETCH = `import { type PathsOf } from 'banking-api-contract/client/openapi-fetch';
import type { Operations as Documented } from 'banking-api-contract/types';
import type { Operations } from 'banking-api-contract/types/mock';
import createClient from 'openapi-fetch';

const api = createClient<PathsOf<Operations>>({ baseUrl: 'http://127.0.0.1' });
const client = { customerId: 'cust-1001', clientId: 'client-2001' };
const beneficiaries = '/wallet/api/customers/{customerId}/clients/{clientId}/beneficiaries';

export async function ids(): Promise<readonly (string | undefined)[]> {
  const { data, error } = await api.GET(beneficiaries, { params: { path: client, query: { visible: true } } });
  if (!error) return data.map(({ beneficiaryId }) => beneficiaryId);
  if (error.type === 'https://banking-api-contract.invalid/problems/not-found') void (error.status satisfies 404);
  // @ts-expect-error: no list refuses a limit
  if (error.type === 'https://banking-api-contract.invalid/problems/card-limit') return [];
  return error.existing ?? error.errors?.map(({ pointer }) => pointer) ?? [];
}
// @ts-expect-error: misspelled
void api.GET(beneficiaries, { params: { path: client, query: { visble: true } } });
// @ts-expect-error: it has no query
void api.GET('/wallet/api/customers/{customerId}/clients/{clientId}/cards', { params: { path: client, query: { visible: true } } });

export async function token(): Promise<string | undefined> {
  const documented = createClient<PathsOf<Documented>>({ baseUrl: 'http://127.0.0.1' });
  const params = { path: { customerId: 'cust-1001', cardId: 'card-4001' } };
  const { data, error } = await documented.GET('/wallet/api/customers/{customerId}/cards/{cardId}', { params });
  if (error) throw new Error(JSON.stringify(error));
  return data.token;
}
`;

const LIBRARY = `import { createTokenProvider, startMock } from 'banking-api-contract';
import { createTokenProvider as same } from 'banking-api-contract/client';
// @ts-expect-error: a number is no set of options
startMock(5);
// @ts-expect-error: a number is no set of options
same(5);
void createTokenProvider;
`;

const BROWSER = `import { handlers } from 'banking-api-contract/msw';
import { mount } from 'banking-api-contract/page';
import { setupWorker } from 'msw/browser';

const all = handlers({ baseUrl: 'http://localhost:5173/api', scenarios: ['rate-limited'] });
export const worker = setupWorker(...all);
export async function later(): Promise<void> {
  const mock = await all.mock;
  mock.tokens.expireAll();
  mount(document.body, { control: mock.url });
}
`;

it.each(['nodenext', 'bundler'])(
  'the types compile under %s: validators without Node or a browser, the rest with Node',
  async (resolution) => {
    await linkFromClone(project.folder, '@types/node').catch(() => {});
    await linkFromClone(project.folder, 'undici-types').catch(() => {});
    await writeFile(join(project.folder, 'consumer.ts'), CONSUMER);
    await writeFile(join(project.folder, 'library.ts'), LIBRARY);
    for (const name of ['openapi-fetch', 'msw']) await linkFromClone(project.folder, name).catch(() => {});
    await writeFile(join(project.folder, 'browser.ts'), BROWSER);
    await writeFile(join(project.folder, 'openapi-fetch.ts'), OPENAPI_FETCH);
    const options = [
      '--noEmit',
      '--strict',
      '--target',
      'es2024',
      '--module',
      resolution === 'bundler' ? 'esnext' : resolution,
      '--moduleResolution',
      resolution,
    ];
    const compile = (...more: string[]): string => {
      const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
      const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, ...options, ...more], {
        cwd: project.folder,
        encoding: 'utf8',
      });
      return `${stdout}${stderr}${status}`;
    };
    // an empty `--types` excludes ambient packages; lib checks stay on, so that a broken declaration of ours fails
    expect(compile('--lib', 'es2024', '--types', '', 'consumer.ts')).toBe('0');
    expect(compile('--types', 'node', 'library.ts')).toBe('0');
    expect(compile('--types', '', 'openapi-fetch.ts')).toBe('0');
    expect(compile('--lib', 'es2022,dom,dom.iterable', '--types', '', 'browser.ts')).toBe('0');
  },
  120_000,
);
