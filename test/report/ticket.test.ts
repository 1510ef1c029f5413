import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import type { Call } from '../../src/model/call.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import { variablesOf } from '../../src/model/variables.ts';
import { createRedactor } from '../../src/redact/redact.ts';
import { renderJson } from '../../src/report/format.ts';
import { shellWord, variableNamed } from '../../src/report/shell.ts';
import { type TicketOptions, withTickets } from '../../src/report/ticket.ts';
import { ticketTime } from '../../src/report/words/tickets.ts';
import { call, exchange } from '../judge/calls.ts';
import { POSIX } from '../support/needs.ts';
import { finding, report } from '../support/report-samples.ts';

/** The words of a command line in a POSIX shell. */
function wordsOf(line: string, env: Record<string, string> = {}): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }; ${line}`;
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('shell words', POSIX, () => {
  test('literal text is unchanged, for any characters', () => {
    const character = fc.constantFrom(...'aZ09 \'"`$\\!*?[]{}()<>|&;#~=%\n\té€'.split(''));
    const literal = fc.string({ unit: character, minLength: 1, maxLength: 8 });
    const piece = fc.oneof(
      literal.map((text) => ({ literal: text })),
      fc.constant({ variable: 'CARD_ID' }),
    );
    const words = fc.array(fc.array(piece, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 40 });
    const lines = fc.sample(words, 50);
    const expected = lines.map((given) =>
      given.map((pieces) => pieces.map((each) => ('literal' in each ? each.literal : 'a "b"')).join('')),
    );
    const script = lines.map((given) => `curl ${given.map(shellWord).join(' ')}`).join(' ; ');
    expect(wordsOf(script, { CARD_ID: 'a "b"' })).toEqual(expected.flat());
  });

  test('a variable never has the name of a standard shell variable', () => {
    expect(['cardId', 'path', 'user', 'x-api-key', '1st', 'IFS'].map(variableNamed)).toEqual([
      'CARD_ID',
      'PATH_VALUE',
      'USER_VALUE',
      'X_API_KEY',
      'VALUE_1ST',
      'IFS_VALUE',
    ]);
  });
});

const contract = await loadContract();

describe('tickets', POSIX, () => {
  const redactor = createRedactor({ secrets: ['planted-secret-4711'] });
  const parameters = { customerId: 'c-1', cardId: 'k-4', clientId: '4712', currency: 'GBP' };
  const sent = (over: Partial<Exchange['request']>, callOver: Partial<Call> = {}): Call => {
    const made = call('getCard', { json: {} }, { parameters: { customerId: 'c-1', cardId: 'k-4' }, ...callOver });
    const attempts = made.attempts.map((each) => ({ ...each, request: { ...each.request, ...over } }));
    return { ...made, attempts };
  };
  const ticketOf = (made: Call, over: Partial<TicketOptions> = {}) => {
    const options = { contract, baseUrl: 'https://sandbox.example.com/base', parameters, redact: redactor.text };
    const seqs = made.attempts.map(({ seq }) => seq);
    return withTickets([finding({ exchanges: seqs })], [made], { ...options, ...over })[0]?.ticket;
  };

  test('a request id that is cut shows no part of a secret', () => {
    const id = `${'r'.repeat(190)}planted-secret-4711`;
    const made = call('getCard', { json: {}, headers: [['x-request-id', id]] });
    expect(JSON.stringify(ticketOf(made)?.requestIds)).not.toContain('planted');
  });

  test('a ticket has the time, the request id, and a command that repeats the request', () => {
    const made = call(
      'getCard',
      {
        json: {},
        headers: [
          ['x-request-id', 'req-81'],
          ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
        ],
      },
      { parameters: { customerId: 'c-1', cardId: 'k-4' } },
    );
    expect(ticketOf(made)).toEqual({
      at: new Date(made.attempts[0]?.startedAt ?? 0).toISOString(),
      requestIds: { 'x-request-id': 'req-81', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
      curl: 'curl -sS -i "https://sandbox.example.com/base/wallet/api/customers/$CUSTOMER_ID/cards/$CARD_ID" -H "Authorization: Bearer $TOKEN"',
    });
    expect(ticketOf(made, { requestIds: ['X-Request-Id'] })?.requestIds).toEqual({ 'x-request-id': 'req-81' });
  });

  test("the ticket shows the run's request id next to the target's, or once if they are equal", () => {
    const headers = [['x-correlation-id', 'ours-1'] as const, ['x-api-key', 'planted-key'] as const];
    const made = sent({ headers });
    expect(ticketOf(made)?.sentIds).toBeUndefined();
    const ticket = ticketOf(made, { sentIds: ['x-correlation-id'] });
    expect(ticket?.sentIds).toEqual({ 'x-correlation-id': 'ours-1' });
    const seen = { at: '2026-11-20T02:00:00.000Z', curl: null, sentIds: { 'x-correlation-id': 'ours-1' } };
    expect(ticketTime({ ...seen, requestIds: { 'x-request-id': 'theirs' } })).toBe(
      '2026-11-20T02:00:00.000Z, x-request-id: theirs, sent as x-correlation-id: ours-1',
    );
    expect(ticketTime({ ...seen, requestIds: { 'x-correlation-id': 'ours-1' } })).toBe(
      '2026-11-20T02:00:00.000Z, x-correlation-id: ours-1',
    );
    const secret = sent({ headers: [['x-correlation-id', 'planted-secret-4711']] });
    expect(ticketOf(secret, { sentIds: ['x-correlation-id'] })?.sentIds).toEqual({ 'x-correlation-id': '[redacted]' });
  });

  test('of several exchanges the ticket shows the last answered one, and without requests there is no ticket', () => {
    const [lost, answered] = [exchange('getCard', { failure: 'reset' }), exchange('getCard', {})];
    expect(ticketOf({ ...sent({}), attempts: [answered, lost] })?.at).toBe(new Date(answered.startedAt).toISOString());
    expect(ticketOf({ ...sent({}), attempts: [] })).toBeUndefined();
  });

  test('ids and secrets in bodies, queries and headers become variables', () => {
    const body = Buffer.from(
      JSON.stringify({ clientId: 4712, note: "it's $(rm)", password: 'planted', card: ['k-4', 'planted-secret-4711'] }),
    );
    const headers = [
      ['accept', 'application/json'],
      ['content-type', 'application/json'],
      ['authorization', 'Bearer planted-token'],
      ['x-api-key', 'planted-key'],
    ] as const;
    const curl =
      ticketOf(sent({ method: 'POST', target: '/wallet/x?currency=GBP&q=a%20b&token=planted', headers, body }))?.curl ??
      '';
    expect(curl).not.toMatch(/planted|4712|k-4|c-1/);
    const env = {
      CUSTOMER_ID: 'c-1',
      CARD_ID: 'k-4',
      CLIENT_ID: '4712',
      PASSWORD_VALUE: 'p',
      TOKEN: 't',
      TOKEN_VALUE: 'v',
    };
    const rendered = renderJson(report({ findings: [finding({ ticket: { at: 'x', requestIds: {}, curl } })] }));
    expect(JSON.parse(rendered).findings[0].ticket.curl).toBe(curl);
    const words = wordsOf(curl, { ...env, CURRENCY_VALUE: 'GBP', X_API_KEY: 'key', CARD_VALUE: 's' });
    expect(words).toEqual([
      '-sS',
      '-i',
      '-X',
      'POST',
      'https://sandbox.example.com/base/wallet/api/customers/c-1/cards/k-4?currency=GBP&q=a%20b&token=v',
      '-H',
      'Authorization: Bearer t',
      '-H',
      'accept: application/json',
      '-H',
      'content-type: application/json',
      '-H',
      'x-api-key: key',
      '--data-raw',
      `{"clientId":4712,"note":"it's $(rm)","password":"p","card":["k-4","s"]}`,
    ]);
  });

  test('a command names the variables that the run reads', () => {
    const over = { variables: variablesOf('ACME'), bearer: 'ACME_TOKEN' };
    const own = (value: string) => sent({ headers: [['authorization', value]] }, { auth: 'none' });
    const [client, bearer] = ['-u "$ACME_USERNAME:$ACME_PASSWORD"', '-H "Authorization: Bearer $ACME_TOKEN"'];
    expect(ticketOf(sent({}, { auth: 'client' }), over)?.curl).toContain(client);
    expect(ticketOf(sent({}, { auth: 'token' }), over)?.curl).toContain(bearer);
    expect(ticketOf(own('Basic am9lOnBsYW50ZWQ='), over)?.curl).toContain(client);
    expect(ticketOf(own('Bearer planted'), over)?.curl).toContain(bearer);
  });

  test('a call without a token repeats without a token, and a binary body gets no command', () => {
    expect(ticketOf(sent({}, { auth: 'none' }))?.curl).not.toContain('Authorization');
    expect(ticketOf(sent({}, { auth: 'client' }))?.curl).toContain('-u "$BANKING_API_USERNAME:$BANKING_API_PASSWORD"');
    expect(ticketOf(sent({ body: Buffer.from([0xff, 0x00]) }))?.curl).toBeNull();
  });

  test('D8: a request id from a target is redacted, and a variable is not masked as a secret', () => {
    const made = call('getCard', { json: {}, headers: [['x-request-id', 'planted-secret-4711']] });
    const ticket = ticketOf(made);
    expect(ticket?.requestIds['x-request-id']).toBe('[redacted]');
    const text = renderJson(report({ findings: [finding({ ...(ticket && { ticket }) })] }));
    expect(JSON.parse(text).findings[0].ticket.curl).toContain('Authorization: Bearer $TOKEN');
  });
});
