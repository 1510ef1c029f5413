import { expect, test } from 'vitest';
import { startable } from '../../src/files/startable.ts';

test('a command is started without a shell, so its arguments need no quotes', () => {
  expect(startable('npx', ['-p', 'a b', '$(x)'], 'linux')).toEqual({
    file: 'npx',
    args: ['-p', 'a b', '$(x)'],
    shell: false,
  });
});

test('on Windows, a shell starts the command, and quotes keep every argument whole', () => {
  expect(startable('npx', ['-p', 'pactum@^3', 'https://x/?a=1&b=2', 'C:\\my files', '"'], 'win32')).toEqual({
    file: 'npx "-p" "pactum@^3" "https://x/?a=1&b=2" "C:\\my files" """"',
    args: [],
    shell: true,
  });
});
