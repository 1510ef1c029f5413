import { expect, test } from 'vitest';
import { createEgressRecorder } from '../../src/egress/recorder.ts';
import type { HeaderFields } from '../../src/model/exchange.ts';
import { exchange } from '../judge/calls.ts';

test('the recorder knows the issue time of a token it saw issued', () => {
  const record = createEgressRecorder(() => 7);
  const tokenOf = (headers: HeaderFields, body: string | null, text = '{}') => {
    const made = exchange('getToken', { text });
    const request = { ...made.request, method: 'POST', headers, body: body === null ? null : Buffer.from(body) };
    return record(null)({ ...made, request }).token;
  };
  const issued = { value: 't-1', issuedAt: 7, expiresIn: 60 };
  const answer = '{"access_token":"t-1","expires_in":60}';
  expect(tokenOf([['authorization', 'Bearer t-2']], null, answer)).toEqual({
    value: 't-2',
    issuedAt: null,
    expiresIn: null,
  });
  expect(tokenOf([], 'name=grant', answer)).toBe(null);
  expect(tokenOf([], 'grant_type=client_credentials', '{"access_token":')).toBe(null);
  expect(tokenOf([], 'grant_type=client_credentials', answer)).toEqual(issued);
  expect(tokenOf([['authorization', 'Bearer t-1']], null)).toEqual(issued);
});
