import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { compiledModule } from '../../../scripts/browser/compile.ts';
import { packageRoot } from '../../../src/package-root.ts';

const generator = join(packageRoot, 'scripts', 'generate.ts');

test('the generated types match the current spec and assumptions', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [generator, 'mock', '--check']);
  expect(stdout).toContain('up to date');
});

test("the examples match the mock's first answers", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [generator, 'examples', '--check']);
  expect(stdout).toContain('up to date');
});

test('the contract that is compiled for browsers needs no eval and no require', async () => {
  expect(await compiledModule()).not.toMatch(/\brequire\s*\(|new Function|\beval\s*\(/);
});

test('a start loads neither Prism nor undici', async () => {
  const script = `
    const { registerHooks } = await import('node:module');
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    const { startMock } = await import(${JSON.stringify(pathToFileURL(join(packageRoot, 'dist/src/mock/start-mock.js')))});
    const mock = await startMock();
    loaded.push(...process.moduleLoadList.filter((name) => name.endsWith('undici/undici')));
    const reply = await fetch(mock.url + '/wallet/api/customers/c/cards/x');
    await mock.close();
    console.log(JSON.stringify([reply.status, loaded.filter((url) => /@stoplight|undici/.test(url))]));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(JSON.parse(stdout)).toEqual([401, []]);
});
