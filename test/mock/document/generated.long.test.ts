import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';

const generator = join(packageRoot, 'scripts', 'generate.ts');

test('the prepared compilation matches the current spec and assumptions', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [generator, 'mock', '--check']);
  expect(stdout).toContain('up to date');
});

test("the examples match the mock's first answers", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [generator, 'examples', '--check']);
  expect(stdout).toContain('up to date');
});

test('the compiled validators need no eval and no require', () => {
  const code = readFileSync(join(packageRoot, 'generated/mock/validators.ts'), 'utf8');
  expect(code).not.toMatch(/\brequire\s*\(|new Function|\beval\s*\(/);
});

test('a start loads neither YAML nor Ajv nor Prism, nor undici', async () => {
  const script = `
    const { registerHooks } = await import('node:module');
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    const { startMock } = await import(${JSON.stringify(pathToFileURL(join(packageRoot, 'dist/src/mock/start-mock.js')))});
    const mock = await startMock();
    loaded.push(...process.moduleLoadList.filter((name) => name.endsWith('undici/undici')));
    const reply = await fetch(mock.url + '/wallet/api/customers/c/cards/x');
    await mock.close();
    console.log(JSON.stringify([reply.status, loaded.filter((url) => /node_modules|files\\/(?:yaml|checked-file)|undici/.test(url))]));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(JSON.parse(stdout)).toEqual([401, []]);
});
