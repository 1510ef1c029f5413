import { expect, test } from 'vitest';
import type { Exchange } from '../../src/model/exchange.ts';
import type { Finding } from '../../src/model/finding.ts';
import { renderJunit } from '../../src/report/junit.ts';
import { verify } from '../../src/run/verify.ts';
import { OPTIONS } from '../corpus/drive.ts';
import { operationAt, startStandIn } from '../corpus/stand-in.ts';
import { type Body, SERVED_IDS, type Served, TENANT } from '../corpus/world.ts';

/** Drift in every answer, so that the exchanges confirm each number of the report. */
const DRIFT: Partial<Record<Served, (body: Body) => Body>> = {
  ...Object.fromEntries(
    SERVED_IDS.map((id) => [
      id,
      (body: Body) => (body === undefined || Array.isArray(body) ? body : { ...body, requestInfo: 'r' }),
    ]),
  ),
  getCard: (card) => ({ ...card, requestInfo: 'r', cardLimitDaily: '5' }),
  getAccounts: ({ accounts }) => ({
    requestInfo: 'r',
    accounts: [{ accountId: 'x', ibanForSwift: 7 }, { ibanForSwift: 8, wireRoutingNumber: '1' }, ...accounts],
  }),
  getBeneficiaries: (list) => [{ visible: 'yes' }, ...list, { visible: 'no', aba: 'x' }],
};

/** Facts about an exchange, computed without the judge. */
interface Plain {
  readonly seq: number;
  readonly operationId: Served | undefined;
  readonly body: Body;
}

function plain({ seq, request, response }: Exchange): Plain {
  const text = Buffer.from(response?.body.bytes ?? []).toString('utf8');
  const body = text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as Body) : undefined;
  return { seq, operationId: operationAt(request.method, request.target), body };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

test('D4: every number of a report matches the exchanges', async () => {
  const exchanges: Exchange[] = [];
  await using sandbox = await startStandIn(77, { body: DRIFT });
  const report = await verify({
    ...OPTIONS,
    target: sandbox.url,
    overlays: [TENANT],
    onExchange: (exchange) => exchanges.push(exchange),
  });

  // Every exchange was sent, and counts once.
  const seqs = exchanges.map(({ seq }) => seq).sort((a, b) => a - b);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(sandbox.seen).toHaveLength(exchanges.length);

  const good = exchanges.filter(({ response }) => Math.floor((response?.status ?? 0) / 100) === 2).map(plain);
  const of = (id: string): Plain[] => good.filter(({ operationId }) => operationId === id);
  const finding = (rule: string, id: string | null, pointer: string): Finding => {
    const found = report.findings.filter(
      (one) => one.rule === rule && one.operationId === id && one.pointer === pointer,
    );
    expect(found, `${rule} ${id} ${pointer}`).toHaveLength(1);
    return found[0] as Finding;
  };
  const holds = (one: Finding, shown: readonly Plain[], occurrences: number): void => {
    expect(one.exchanges, one.message).toEqual(shown.map(({ seq }) => seq).sort((a, b) => a - b));
    expect(one.occurrences, one.message).toBe(occurrences);
  };

  const cards = of('getCard').filter(({ body }) => typeof body.cardLimitDaily === 'string');
  expect(cards.length).toBeGreaterThan(0);
  holds(finding('type-contradicted', 'getCard', '/cardLimitDaily'), cards, cards.length);
  const items = (
    list: readonly Plain[],
    name: string,
    wrong: (value: unknown) => boolean,
    at = (body: Body) => body,
  ): number => sum(list.map(({ body }) => at(body).filter((item: Body) => wrong(item[name])).length));
  const accounts = of('getAccounts');
  holds(
    finding('type-contradicted', 'getAccounts', '/accounts/*/ibanForSwift'),
    accounts,
    items(
      accounts,
      'ibanForSwift',
      (value) => typeof value === 'number',
      (body) => body.accounts,
    ),
  );
  const beneficiaries = of('getBeneficiaries');
  holds(
    finding('type-contradicted', 'getBeneficiaries', '/*/visible'),
    beneficiaries,
    items(beneficiaries, 'visible', (value) => typeof value === 'string'),
  );

  // A finding of several operations: the exchanges of all, and each operation once.
  const spread = finding('undocumented-field', null, '/requestInfo');
  const parts = spread.parts ?? [];
  const shown = parts.flatMap(({ operationId }) => of(operationId).filter(({ body }) => body?.requestInfo === 'r'));
  holds(spread, shown, shown.length);
  expect(new Set(parts.map(({ operationId }) => operationId)).size).toBe(parts.length);
  expect(spread.message).toContain(`in ${parts.length} operations`);

  // For every rule: exchange numbers exist, belong to the operation, and are no more than the occurrences.
  for (const one of report.findings) {
    const ids = one.operationId === null ? (one.parts ?? []).map(({ operationId }) => operationId) : [one.operationId];
    for (const seq of one.exchanges) {
      const exchange = exchanges.find((each) => each.seq === seq);
      const { request } = exchange ?? { request: { method: '', target: '' } };
      const id = request.target.endsWith('/oauth/token') ? 'getToken' : operationAt(request.method, request.target);
      expect(ids, one.message).toContain(id);
    }
    expect(one.occurrences, one.message).toBeGreaterThanOrEqual(one.exchanges.length);
    expect(new Set(one.exchanges).size, one.message).toBe(one.exchanges.length);
  }

  // Coverage: the number of good answers, and of those with each field.
  for (const { operationId, goodAnswers, exercised, fields } of report.coverage.operations) {
    if (operationId === 'getToken') continue;
    const answers = of(operationId);
    expect(goodAnswers, operationId).toBe(answers.length);
    if (answers.length > 0) expect(exercised).toBe(true);
    for (const { pointer, seen, of: all } of fields) {
      const objects = answers.flatMap(({ body }) => objectsAt(body, pointer.split('/').slice(1, -1)));
      const name = pointer.slice(pointer.lastIndexOf('/') + 1);
      if (answers.length === 0) expect([seen, all], `${operationId} ${pointer}`).toEqual([0, 0]);
      else {
        const having = objects.filter((object) => Object.hasOwn(object, name)).length;
        expect([seen, all], `${operationId} ${pointer}`).toEqual([having, objects.length]);
      }
    }
  }

  // Times: a run takes at least the span of its exchanges, and no check takes longer than the run.
  const began = Math.min(...exchanges.map(({ startedAt }) => startedAt));
  const ended = Math.max(...exchanges.map(({ endedAt }) => endedAt));
  expect(Date.parse(report.startedAt)).toBeLessThanOrEqual(Math.ceil(began));
  expect(report.durationMs).toBeGreaterThanOrEqual(Math.floor(ended - began));
  for (const { durationMs, id } of report.checks) expect(durationMs, id).toBeLessThanOrEqual(report.durationMs);

  // A rendered format has the same sums, separately for each area.
  const xml = renderJunit(report);
  for (const [suite = '', time] of xml.matchAll(/<testsuite [^>]*time="([\d.]+)"[^>]*>[\s\S]*?<\/testsuite>/g)) {
    const cases = [...suite.matchAll(/<testcase [^>]*time="([\d.]+)"/g)].map(([, each]) => Number(each));
    expect(Number(time)).toBeCloseTo(sum(cases), 2);
  }
  const [, attributes = ''] = /<testsuites ([^>]*)>/.exec(xml) ?? [];
  const number = (name: string): number => Number(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1]);
  expect(number('tests')).toBe(report.checks.length);
  expect(number('failures')).toBe(report.checks.filter(({ outcome }) => outcome === 'failed').length);
  // JUnit has this number only per area
  const skipped = [...xml.matchAll(/<testsuite [^>]*\bskipped="(\d+)"/g)].map(([, each]) => Number(each));
  expect(sum(skipped)).toBe(report.checks.filter(({ outcome }) => outcome === 'skipped').length);
}, 60_000);

/** The objects at a place, one array per list. */
function objectsAt(body: Body, path: readonly string[]): Body[] {
  const [step, ...rest] = path;
  if (step === undefined) return typeof body === 'object' && body !== null && !Array.isArray(body) ? [body] : [];
  if (step === '*') return Array.isArray(body) ? body.flatMap((item) => objectsAt(item, rest)) : [];
  return typeof body === 'object' && body !== null && step in body ? objectsAt(body[step], rest) : [];
}
