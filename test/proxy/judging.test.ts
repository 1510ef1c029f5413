import { expect, test } from 'vitest';
import type { Exchange } from '../../src/model/exchange.ts';
import { followTarget } from '../../src/proxy/follow.ts';
import { createJudging } from '../../src/proxy/judging.ts';
import type { ProxyOptions } from '../../src/proxy/options.ts';
import { createRedactor } from '../../src/redact/redact.ts';
import { guardsOf, openTarget } from '../../src/run/target.ts';

const cardOf = (seq: number): Exchange => ({
  ...{
    seq,
    startedAt: seq,
    endedAt: seq,
    connection: 1,
    operationId: 'getCard',
    failure: null,
    token: null,
  },
  request: {
    method: 'GET',
    target: `/wallet/api/customers/c-1/cards/k-${seq}`,
    headers: [['authorization', 'Bearer t']],
    body: null,
  },
  response: {
    status: 200,
    headers: [['content-type', 'application/json']],
    body: { bytes: Buffer.from('{"cardLimitDaily":"a-secret-of-the-caller"}'), state: 'complete' },
  },
});

test('judging makes callers wait while it is behind, counts them, loses nothing and keeps the order', async () => {
  const lines: string[] = [];
  const options: ProxyOptions = {
    target: 'http://127.0.0.1:9',
    redactor: createRedactor({ secrets: ['a-secret-of-the-caller'] }),
    onJournal: (text) => lines.push(...text.trimEnd().split('\n')),
  };
  const opened = await openTarget(options);
  const target = followTarget(opened, options);
  const judging = createJudging(target, options, guardsOf(opened, options, target.isMock), {
    exchanges: 3,
    bytes: 500,
  });
  const seqs = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  let waits = 0;
  for (const seq of seqs) {
    const room = judging.room();
    if (room) waits += 1;
    await room;
    judging.add({ exchange: cardOf(seq), by: 'target' });
  }
  const report = await judging.report();
  expect(waits).toBeGreaterThan(0);
  const behind = report.notices?.find(({ code }) => code === 'judging-behind')?.message;
  expect(behind).toMatch(new RegExp(`^${waits} requests waited`));
  const found = report.findings.find(
    ({ rule, pointer }) => rule === 'type-contradicted' && pointer === '/cardLimitDaily',
  );
  expect(found?.exchanges).toEqual(seqs);
  expect(lines.map((line) => JSON.parse(line).seq)).toEqual(seqs);
  expect(JSON.stringify([report, lines])).not.toContain('a-secret-of-the-caller');
  await judging.close();
  judging.add({ exchange: cardOf(10), by: 'target' });
  expect(await judging.report()).toBe(await judging.report());
  expect(await judging.report()).toMatchObject({ command: 'proxy', verdict: 'drift' });
});
