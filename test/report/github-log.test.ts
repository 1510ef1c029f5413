import { describe, expect, test } from 'vitest';
import { FORMAT_NAMES, FORMATS } from '../../src/report/formats.ts';
import { plain } from '../../src/text/plain.ts';
import { HOSTILE, saying } from './hostile.ts';

/** Lines that the runner of GitHub Actions takes for a command: it trims them first, and finds the older form anywhere. */
const commands = (text: string): string[] =>
  text.split(/\r\n|\n|\r/).filter((line) => /^\s*::[a-z-]+[ :]/i.test(line) || /##\w*\[/.test(line));

describe('H1: a log that is read by a CI system', () => {
  test.each(FORMAT_NAMES.filter((name) => name !== 'github' && name !== 'json'))(
    '%s holds no command of a target',
    (name) => {
      for (const text of [
        ...HOSTILE,
        `${'long '.repeat(30)}::error::x`,
        '##vso[task.setvariable variable=x]y',
        '##teamcity[x]',
      ]) {
        expect(commands(FORMATS[name](saying(text), {}))).toEqual([]);
      }
    },
  );

  test('text with colons and signs that are no command stays as it is', () => {
    for (const text of ['::1', 'a::b', 'https://[::1]:80/', '## head', 'C# [x]', 'at /a:b'])
      expect(plain(text)).toBe(text);
  });
});
