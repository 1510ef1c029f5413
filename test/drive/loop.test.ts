import { expect, test } from 'vitest';
import { drive } from '../../src/drive/drive.ts';

const PROGRAM = `
  for (let sent = 0; sent < 600; sent += 1) {
    await (await fetch(process.env.BANKING_API_BASE_URL + '/')).text();
  }
`;

test('drive stops a program that has sent 200 requests', async () => {
  const { driven } = await drive({
    command: [process.execPath, '--input-type=module', '-e', PROGRAM],
    env: process.env,
    cwd: process.cwd(),
    situations: ['normal'],
    signal: AbortSignal.timeout(60_000),
  });
  const sent = driven[0]?.recording.entries.length;
  expect(sent).toBeGreaterThanOrEqual(200);
  expect(sent).toBeLessThan(600);
});
