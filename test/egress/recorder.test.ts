import { expect, test } from 'vitest';
import { createRecorder } from '../../src/egress/recorder.ts';
import type { HeaderFields } from '../../src/model/exchange.ts';
import { exchange } from '../judge/calls.ts';

function tokenOf(headers: HeaderFields, body: string | null, text = '{"access_token":"t-1","expires_in":60}') {
  const made = exchange('getToken', { text });
  const request = { ...made.request, method: 'POST', headers, body: body === null ? null : Buffer.from(body) };
  return createRecorder(() => 7)(null)({ ...made, request }).token;
}

const FORM = [['content-type', 'application/x-www-form-urlencoded']] as const;
const BASIC = [['authorization', 'Basic dTpw']] as const;
const ISSUED = { value: 't-1', issuedAt: 7, expiresIn: 60 };

test('a token is known from when it was issued, whichever way the client names itself', () => {
  expect(tokenOf(BASIC, null)).toEqual(ISSUED);
  expect(tokenOf(FORM, 'grant_type=client_credentials&client_id=u&client_secret=p')).toEqual(ISSUED);
});

test('what is no answer to a token request issues none', () => {
  expect(tokenOf(FORM, 'name=client_secret')).toBe(null);
  expect(tokenOf([], null)).toBe(null);
  expect(tokenOf(BASIC, null, '{"access_token":')).toBe(null);
  expect(tokenOf([['authorization', 'Bearer t-2']], null)).toEqual({ value: 't-2', issuedAt: null, expiresIn: null });
});
