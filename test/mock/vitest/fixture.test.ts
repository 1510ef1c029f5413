import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Mock } from '../../../src/mock/mock.ts';
import { mockTest } from '../../../src/mock/vitest/fixture.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { askToken, bearer, send } from '../support/client.ts';

const PATH = '/wallet/api/customers/cust-1001/cards/card-4001';

// vitest requires file fixtures outside of every describe
const perFile = mockTest({ tokenLifetime: 60 });
const perTest = mockTest({ per: 'test', listen: false });

describe('a mock per file', () => {
  let first: Mock;

  perFile('is started with its options when a test asks for it', async ({ mock, journal }) => {
    first = mock;
    expect([59, 60]).toContain((await askToken(mock)).json().expires_in);
    expect(journal.map(({ operationId }) => operationId)).toEqual(['getToken']);
  });

  perFile('is the same in the next test, whose journal is its own', async ({ mock, journal }) => {
    expect(mock).toBe(first);
    expect(journal).toEqual([]);
    await send(mock, { path: PATH, headers: { authorization: await bearer(mock) } });
    expect(journal.map(({ operationId, response }) => [operationId, response?.status])).toEqual([
      ['getToken', 200],
      ['getCard', 200],
    ]);
  });
});

describe('a mock per test', () => {
  const seen = new Set<Mock>();

  perTest('is new', async ({ mock, journal }) => {
    seen.add(mock);
    expect((await mock.fetch(PATH)).status).toBe(401);
    expect(journal).toHaveLength(1);
  });

  perTest('is new again, and the one before is closed', async ({ mock, journal }) => {
    const [before] = seen;
    expect(seen.has(mock)).toBe(false);
    await expect(before?.fetch(PATH)).rejects.toThrow(TypeError);
    expect(journal).toEqual([]);
  });
});

test('a process with mocks exits by itself once they are closed: no handle is left', async () => {
  const start = JSON.stringify(join(packageRoot, 'dist/src/mock/start-mock.js'));
  const script = `
      import { startMock } from ${start};
      let answers;
      {
        await using one = await startMock();
        await using two = await startMock({ listen: false });
        const [three, four] = await Promise.all([startMock(), startMock()]);
        answers = await Promise.all([fetch(one.url), two.fetch('/'), fetch(three.url), fetch(four.url)]);
        await Promise.all(answers.map((answer) => answer.text()));
        await Promise.all([three.close(), four.close()]);
        if (new Set([one.port, three.port, four.port]).size !== 3) throw new Error('one port twice');
      }
      console.log(answers.map(({ status }) => status).join());
    `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: packageRoot });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  let closedAt = 0;
  child.stdout.once('data', () => {
    closedAt = Date.now();
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  expect([code, text]).toEqual([0, '404,404,404,404\n']);
  // not only by the end of a keep-alive, which takes five seconds
  expect(Date.now() - closedAt).toBeLessThan(4_000);
});
