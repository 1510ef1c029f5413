import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIG_FILE } from '../../src/config/chosen-contract.ts';
import { type Config, loadConfig } from '../../src/config/config.ts';
import { ToolError } from '../../src/errors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TARGET = 'target: { baseUrl: https://file.example }\n';

async function load(yaml: string, env: Record<string, string> = {}, target?: string): Promise<Config> {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, CONFIG_FILE), TARGET + yaml);
  return loadConfig({ cwd, env, flags: { target } });
}

async function refusal(yaml: string, env: Record<string, string> = {}): Promise<ToolError> {
  const error = await load(yaml, env).catch((thrown: unknown) => thrown);
  if (error instanceof ToolError) return error;
  throw new Error('it was taken', { cause: error });
}

describe('custom headers', () => {
  it('a header value is literal, a secret from the environment, or a new UUID per request', async () => {
    const { headers } = await load(
      'headers:\n  X-Tenant: acme\n  X-Api-Key: { value: env:KEY, token: true }\n  X-Correlation-Id: uuid\n',
      { KEY: 'PLANTED-key-4711' },
    );
    expect(headers).toMatchObject([
      { name: 'x-tenant', value: 'acme', token: false, secret: false },
      { name: 'x-api-key', value: 'PLANTED-key-4711', token: true, secret: true },
      { name: 'x-correlation-id', token: false, secret: false },
    ]);
    const make = headers[2]?.value as () => string;
    expect(make()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(make()).not.toBe(make());
  });

  it('the embedded mock gets no headers, so their variables need not be set', async () => {
    expect((await load('headers: { X-Api-Key: env:KEY }\n', {}, 'mock')).headers).toEqual([]);
  });

  it.each([
    ['headers: { X-Api-Key: env:KEY }\n', {}, 'KEY is not set'],
    ['headers: { X-Api-Key: env:KEY }\n', { KEY: '' }, 'KEY is not set'],
    [
      'headers: { X-Api-Key: env:KEY }\n',
      { KEY: 'PLANTED\r\nx: y' },
      'KEY, for the header field X-Api-Key, holds a line break',
    ],
    ['headers: { X-Name: "PLANTED\\u4e2d" }\n', {}, 'a sign that no header field can carry'],
    ['headers: { X-Api-Key: PLANTED-literal }\n', {}, 'Credentials do not belong into a file'],
    ['headers: { X-Api-Key: { value: PLANTED-literal } }\n', {}, 'Credentials do not belong into a file'],
    ['headers: { Authorization: env:KEY }\n', { KEY: 'PLANTED' }, 'Authorization is written by the tool itself'],
    ['headers: { hOst: a }\n', {}, 'hOst is written by the tool itself'],
    ['headers: { Content-Length: "7" }\n', {}, 'written by the tool itself'],
    ['headers: { Proxy-Authorization: env:KEY }\n', { KEY: 'PLANTED' }, 'written by the tool itself'],
    ['headers: { X-A: a, x-a: b }\n', {}, 'x-a appears twice'],
    ['headers: { X-A: "PLANTED\\r\\nb" }\n', {}, 'no line breaks'],
    ['headers: { "X A": a }\n', {}, 'no spaces'],
    ['headers: { X-A: 7 }\n', {}, 'must be'],
    ['headers: { X-A: { token: true } }\n', {}, "must have required property 'value'"],
    ['headers: { X-A: { value: a, tokens: true } }\n', {}, 'no key "tokens"'],
  ])('%j is rejected with its place, and without the value', async (yaml, env, message) => {
    const error = await refusal(yaml, env as Record<string, string>);
    expect(error.exitCode).toBe(2);
    expect(error.describe()).toContain(message);
    expect(error.describe()).not.toContain('PLANTED');
    expect(error.describe()).toMatch(/banking-api\.config\.yaml:2:\d+ \(at \/headers/);
  });
});
