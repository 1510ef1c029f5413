import { execFileSync } from 'node:child_process';
import { describe } from 'vitest';

/** Tools that a test may need beyond npm, and how to detect them. */
const TOOLS = {
  chromium: { install: 'apt-get install chromium', probe: () => runs('chromium', ['--version']) },
  openssl: { install: 'apt-get install openssl', probe: () => runs('openssl', ['version']) },
  'python3-requests': {
    install: 'apt-get install python3-requests',
    probe: () => runs('/usr/bin/python3', ['-c', 'import requests']),
  },
  'redis-server': {
    install: 'apt-get install redis-server',
    probe: () => runs('redis-server', ['--version']),
  },
  strace: { install: 'apt-get install strace', probe: () => runs('strace', ['-V']) },
  java: { install: 'apt-get install default-jdk-headless', probe: () => runs('java', ['--version']) },
} as const satisfies Record<string, { install: string; probe: () => boolean }>;

/** Tests of signals, file modes, links or a shell: `test(name, POSIX, body)`. Windows skips them. */
export const POSIX = { skip: process.platform === 'win32' };
/** Tests that need `/proc` or `/dev/full`. Other systems skip them. */
export const LINUX = { skip: process.platform !== 'linux' };

export type Tool = keyof typeof TOOLS;

function runs(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

/** Set by `.ci/run`: a test that would be skipped without its tool fails instead. */
const required = process.env.BANKING_API_TESTS_REQUIRE === 'all';

/**
 * `describe` for tests that need a tool beyond npm. Skipped with its name if the tool is missing, or failed if all
 * tools are required.
 */
export function describeWith(tool: Tool, name: string, body: () => void): void {
  const here = TOOLS[tool].probe();
  if (!here && required) {
    describe(name, () => {
      throw new Error(`${tool} is missing: ${TOOLS[tool].install}`);
    });
    return;
  }
  describe.skipIf(!here)(`${name} [needs ${tool}: ${TOOLS[tool].install}]`, body);
}
