import { expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { judge } from '../../src/judge/judge.ts';
import { classify } from '../../src/judge/outage/classify.ts';
import type { Call } from '../../src/model/call.ts';
import { reasonText } from '../../src/model/reason.ts';
import { type AnswerSpec, call } from './calls.ts';

const POST = "$.paths['/billing/api/customers/{customerId}/clients/{clientId}/transactions/fees'].post";
const CARDS = "$.paths['/wallet/api/customers/{customerId}/cards'].post";
const overlay = (update: string, head = '', target = POST) => ({
  file: 'overlay.yaml',
  text: `overlay: 1.0.0\n${head}info: { title: t, version: 1.0.0 }\nactions:\n  - target: "${target}"\n    update: ${update}\n`,
});
const OBSERVED = 'x-provenance: observed\n';

const documented = await loadContract();

const post = (answer: AnswerSpec, body: string | null = null, operationId = 'getTransactionFees'): Call => {
  const made = call(operationId, [{ ...answer, method: 'POST' }], { parameters: { customerId: 'c', clientId: 'l' } });
  const attempts = made.attempts.map((attempt) => ({
    ...attempt,
    request: { ...attempt.request, body: body === null ? null : Buffer.from(body) },
  }));
  return { ...made, attempts };
};
const peer = (): Call => call('getCardFees', { json: { fees: [] } });
const meaning = (contract: Contract, ...calls: readonly Call[]): string => {
  const judgement = classify([...calls, peer()], contract).get(calls[0] as Call);
  return judgement?.kind === 'inconclusive' ? reasonText(judgement.why) : (judgement?.kind ?? 'none');
};
const SAYS =
  /^getTransactionFees answered (\d+), and the request had no body, because the contract shows no body: put .*, or look at customerId, clientId$/;

test.each([400, 411, 415, 422, 500, 503])(
  'a POST without a known body that gets %s names the body as a possible reason',
  (status) => {
    const first = post({ status });
    expect(meaning(documented, first, post({ status }))).toMatch(SAYS);
    const { findings } = judge({
      contract: documented,
      calls: [first, post({ status }), peer()],
      redact: (text) => text,
    });
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  },
);

test.each([
  ['an error unrelated to the body', { status: 403 }, /^answered 403; look at customerId, clientId$/],
  ['silence', { failure: 'first-byte-timeout' }, /^failing$/],
] as const)('%s keeps its meaning', (_, answer, meant) => {
  expect(meaning(documented, post(answer), post(answer))).toMatch(meant);
});

test('the body is not a reason if the same request succeeded elsewhere in the run', () => {
  expect(meaning(documented, post({ status: 500 }), post({ status: 500 }))).toMatch(SAYS);
  const other = { ...post({ json: {} }), parameters: { customerId: 'other', clientId: 'l' } };
  expect(meaning(documented, post({ status: 400 }), other)).toBe('answered 400; look at customerId, clientId');
});

test('an example body is known to be right', async () => {
  const contract = await loadContract({
    overlays: [overlay("{ requestBody: { content: { 'application/json': { example: { amount: 5 } } } } }")],
  });
  const refused = (): Call => post({ status: 400 }, '{"amount":5}');
  expect(meaning(contract, refused(), refused())).toBe('answered 400; look at customerId, clientId');
});

test('a recorded success without a body is expected; a success of callers with a body is not', async () => {
  const ofARun = await loadContract({ overlays: [overlay("{ responses: { '200': { description: o } } }", OBSERVED)] });
  expect(meaning(ofARun, post({ status: 400 }), post({ status: 400 }))).toBe('status-changed');
  expect(meaning(ofARun, post({ status: 500 }), post({ status: 500 }))).toBe('failing');
  const ofCallers = await loadContract({
    overlays: [overlay("{ responses: { '200': { description: o, x-asked-with-body: true } } }", OBSERVED)],
  });
  for (const status of [400, 500])
    expect(meaning(ofCallers, post({ status }), post({ status })), String(status)).toMatch(SAYS);
});

test('the reason lists the sent fields of a body made of ids', async () => {
  const schema =
    "{ requestBody: { content: { 'application/json': { schema: { type: object, properties: { customerId: {}, design: {} } } } } } }";
  const contract = await loadContract({ overlays: [overlay(schema, '', CARDS)] });
  const refused = post({ status: 422 }, '{"customerId":"c"}', 'issueNewCard');
  const alive = call('getCard', { json: {} });
  const judgement = classify([refused, alive], contract).get(refused);
  expect(judgement).toMatchObject({ why: { kind: 'body-unknown', fields: ['customerId'] } });
  expect(judgement?.kind === 'inconclusive' && reasonText(judgement.why)).toContain(
    'the body that was sent had only customerId',
  );
});
