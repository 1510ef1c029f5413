import { expect, test } from 'vitest';
import { hostName, isLoopback } from '../../src/net/host.ts';

test.each([
  ['localhost', true],
  ['bank.localhost', true],
  ['127.0.0.1', true],
  ['127.10.200.3', true],
  ['127.0.0.1.bank.example', false],
  ['localhost.bank.example', false],
  ['1127.0.0.1', false],
])('the host %s is only on this machine: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test.each([
  ['LocalHost.:4010', 'localhost'],
  ['[::1]:4010', '::1'],
  ['bank.example:', 'bank.example'],
  ['user@bank.example', null],
  ['bank.example:80x', null],
])('the host of %j is %j', (authority, expected) => {
  expect(hostName(authority)).toBe(expected);
});
