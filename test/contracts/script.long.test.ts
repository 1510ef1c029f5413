import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { PARAMETERS, type SandboxOptions, startSandbox } from '../run/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CREDENTIALS = { username: 'tenant-of-the-script', password: 'password-of-the-script' };
const VARIABLES = {
  BANKING_API_USERNAME: CREDENTIALS.username,
  BANKING_API_PASSWORD: CREDENTIALS.password,
  OTHER_SECRET: 'another-secret-of-the-script',
};

/** Runs a command with the variables of a night, and the target in `BANKING_API_BASE_URL`. */
function start(
  argv: readonly string[],
  target: string,
): { child: ChildProcess; ended: Promise<[number | null, string]> } {
  const { BANKING_API_TESTS_REQUIRE: _, NODE_OPTIONS: __, ...env } = process.env;
  const child = spawn(process.execPath, argv, {
    cwd: packageRoot,
    env: { ...env, ...VARIABLES, BANKING_API_BASE_URL: target },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], out, err]): [number | null, string] => [code, `${err}${out}`],
  );
  return { child, ended };
}

/** Arguments and initial environment of every process below `root`, by process id. */
function descendants(root: number): Map<number, string> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = read(`/proc/${name}/stat`).split(') ').at(-1)?.split(' ')[1];
    parents.set(Number(name), Number(parent));
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (parents.get(pid) === root || isBelow(parents.get(pid)));
  const below = [...parents.keys()].filter(isBelow);
  return new Map(below.map((pid) => [pid, read(`/proc/${pid}/cmdline`) + read(`/proc/${pid}/environ`)]));
}

/** Empty for a process that has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

describe('npm run contracts -- --target URL', () => {
  async function contracts(options: SandboxOptions & { readonly onRequest?: (pid: number) => void }) {
    let pid = 0;
    await using sandbox = await startSandbox({
      credentials: CREDENTIALS,
      ...options,
      fault: (...given) => {
        options.onRequest?.(pid);
        return options.fault?.(...given);
      },
    });
    const config = join(await temporaryFolder(), 'banking-api.config.yaml');
    const host = new URL(sandbox.url).host;
    const parameters = JSON.stringify(PARAMETERS);
    writeFileSync(config, `allow: destructive\nprobe: true\nwritesAllowedOn: ['${host}']\nparameters: ${parameters}\n`);
    const { child, ended } = start(['scripts/contracts.ts', '--target', sandbox.url, '--config', config], sandbox.url);
    pid = child.pid ?? 0;
    const [code, out] = await ended;
    return { code, out, seen: sandbox.seen, url: sandbox.url };
  }

  test.skipIf(process.platform !== 'linux')(
    'the worker sees neither the credentials nor the target, and only reads are sent',
    async () => {
      const below = new Map<number, string>();
      const onRequest = (pid: number): void => {
        for (const [child, shown] of descendants(pid)) below.set(child, shown);
      };
      const { code, out, seen, url } = await contracts({ onRequest });
      expect([code, out]).toEqual([0, out]);
      expect(out).toContain(`Target: ${url}; only reads are sent.`);

      // vitest, and the worker that runs Pactum
      expect([...below.values()].filter((shown) => shown.includes('vitest')).length).toBeGreaterThan(1);
      const hidden = [...Object.values(VARIABLES), url, new URL(url).port];
      for (const shown of below.values()) for (const secret of hidden) expect(shown).not.toContain(secret);
      expect(out).not.toContain(CREDENTIALS.password);

      const sent = seen.map(({ method, path }) => `${method} ${path}`);
      expect(sent).toContain('GET /wallet/api/customers/c-1/cards/k-4');
      const reads = /^GET |^POST \/(?:iam\/oauth\/token|billing\/.*\/fees)$/;
      expect(sent.filter((line) => !reads.test(line))).toEqual([]);
    },
  );

  test('an operation without an answer fails the suite', async () => {
    const { code, out } = await contracts({ bodies: { 'GET /wallet/api/customers/c-1/cards/k-4': undefined } });
    expect([code, out]).toEqual([1, expect.stringContaining('cards.answers.getCard')]);
  });

  test('without a token, nothing starts', async () => {
    const { code, out } = await contracts({ credentials: { username: 'other', password: 'other' } });
    expect([code, out]).toEqual([4, expect.stringMatching(/No operation can be called: no token from http.*\.\n$/)]);
  });
});

test('npx vitest run --project contracts uses the embedded mock even if a variable names a target, and says so', async () => {
  await using sandbox = await startSandbox({ credentials: CREDENTIALS });
  const [code, out] = await start(['node_modules/vitest/vitest.mjs', 'run', '--project', 'contracts'], sandbox.url)
    .ended;
  expect([code, sandbox.seen]).toEqual([0, []]);
  expect(out.split('\n').filter((line) => line.startsWith('Target: '))).toEqual([
    'Target: the embedded mock. To run the suite against a sandbox: npm run contracts -- --target URL',
  ]);
});
