import { expect, test } from 'vitest';
import { printedSecrets } from '../../src/drive/printed.ts';
import { tokenText } from '../audit/journal-builder.ts';

const credentials = { username: 'sandbox', password: 'drive-0123456789' };
const signature = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ';
const [head, payload] = tokenText('T1').split('.');
const token = `${head}.${payload}.${signature}`;
const printed = (...lines: string[]): string[] => printedSecrets(lines, credentials, [token]);

test('a password, a Basic header and a whole token are found in the output', () => {
  const basic = Buffer.from('sandbox:drive-0123456789').toString('base64');
  expect(printed(`password=${credentials.password}`)).toEqual(['the password']);
  expect(printed(`authorization: Basic ${basic}`)).toEqual(['a Basic header']);
  expect(printed(`Bearer ${token}`)).toEqual(['a token']);
});

test('a token printed in pieces is found', () => {
  expect(printed(token.slice(0, -20), `rest: ${token.slice(-20)}`)).toEqual(['a part of a token']);
  expect(printed(`signature ${signature}`)).toEqual(['a part of a token']);
});

test('the header and the payload of a JWT, and its last characters, are no secret', () => {
  expect(printed(`${head}.${payload}`, `…${token.slice(-8)}`, 'sandbox')).toEqual([]);
});
