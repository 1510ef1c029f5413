import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startMock } from '../../../src/mock/start-mock.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { send } from '../support/client.ts';
import { mockOfFile } from '../support/started.ts';

const mock = await mockOfFile();

describe('the page of the mock', () => {
  test("H2, H5: the page's policy allows only files of the mock, and no other page may frame it", async () => {
    const page = await send(mock, { path: '/__mock/' });
    expect(page.status).toBe(200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(page.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(page.text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style=|https?:/);
    const files = [...page.text.matchAll(/(?:src|href)="([\w-]+\.\w+)"/g)].map(([, name]) => name);
    expect(files).toContain('main.js');
    for (const name of files) expect((await send(mock, { path: `/__mock/${name}` })).status, name).toBe(200);
  });

  test('the page is found without the trailing slash, and requests only its own files', async () => {
    const bare = await send(mock, { path: '/__mock' });
    expect(bare.status).toBe(308);
    expect(bare.headers.location).toBe('/__mock/');
    for (const path of [
      '/__mock/..%2fpackage.js',
      '/__mock/nothing.js',
      '/__mock/page.css.map',
      '/__mock/%2e%2e/main.js',
    ])
      expect((await send(mock, { path })).status, path).toBe(404);
    expect(existsSync(join(packageRoot, 'dist/page/main.js'))).toBe(true);
  });

  test('the page gets the control token on loopback, but not from a mock bound beyond it', async () => {
    const told = (await send(mock, { path: '/__mock/about' })).json() as { controlToken: string; startedAt: number };
    expect(told.controlToken).toBe(mock.controlToken);
    await using open = await startMock({ host: '0.0.0.0' });
    expect((await send(open, { path: '/__mock/about' })).json()).toMatchObject({ controlToken: null });
    const foreign = await send(mock, { path: '/__mock/about', headers: { origin: 'http://localhost:5173' } });
    expect(foreign.status).toBe(403);
  });
});
