import { expect, test } from 'vitest';
import { isExempt } from '../../src/net/no-proxy.ts';

test.each<[list: string, url: string, exempt: boolean]>([
  ['', 'https://bank.test', false],
  ['*', 'https://bank.test', true],
  ['bank.test', 'https://bank.test', true],
  ['BANK.test.', 'https://bank.test', true],
  ['bank.test', 'https://api.bank.test', true],
  ['.bank.test', 'https://api.bank.test', true],
  ['.bank.test', 'https://bank.test', true],
  ['*.bank.test', 'https://api.bank.test', true],
  ['*.bank.test', 'https://bank.test', false],
  ['bank.test', 'https://mybank.test', false],
  ['a.test, bank.test:443', 'https://bank.test', true],
  ['bank.test:443', 'http://bank.test', false],
  ['a.test bank.test:8443', 'https://bank.test:8443', true],
  ['10.0.0.0/8', 'https://10.1.2.3', true],
  ['10.0.0.0/8', 'https://11.1.2.3', false],
  ['10.0.0.0/8', 'https://bank.test', false],
  ['10.0.0.0/99', 'https://10.1.2.3', false],
  ['10.1.2.3', 'https://10.1.2.3', true],
  ['fd00::/8', 'https://[fd12::1]', true],
  ['[fd12::1]:8443', 'https://[fd12::1]:8443', true],
  ['[fd12::1]:8443', 'https://[fd12::1]', false],
  ['fd12::1', 'https://[fd12::1]', true],
])('NO_PROXY=%j exempts %s: %s', (list, url, exempt) => {
  expect(isExempt(list, new URL(url))).toBe(exempt);
});
