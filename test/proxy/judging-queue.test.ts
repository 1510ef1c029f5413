import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/model/exchange.ts';
import { type Beginning, createJudgingQueue } from '../../src/proxy/judging-queue.ts';

const BEGINNING: Beginning = {
  opened: {
    kind: 'url',
    embedded: false,
    baseUrl: 'http://127.0.0.1:9',
    host: '127.0.0.1:9',
    credentials: null,
    parameters: {},
    roles: {},
    failing: {},
  },
  options: {},
  journalOf: null,
  knowledge: { secrets: ['a-secret-of-the-caller'] },
  startedAt: 0,
  sentIds: [],
};

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

describe('a queue to the thread that judges', () => {
  test('makes callers wait while it is full, counts them, loses nothing and keeps the order', async () => {
    const queue = createJudgingQueue({}, () => BEGINNING, { exchanges: 3, bytes: 1_000_000 });
    const seqs = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    let waits = 0;
    for (const seq of seqs) {
      const room = queue.room();
      if (room) waits += 1;
      await room;
      queue.add({ exchange: cardOf(seq), by: 'target' });
    }
    const report = await queue.report();
    expect(waits).toBeGreaterThan(0);
    const told = report.notices?.find(({ code }) => code === 'judging-behind')?.message;
    expect(told).toMatch(new RegExp(`^${waits} requests waited`));
    const found = report.findings.find(
      ({ rule, pointer }) => rule === 'type-contradicted' && pointer === '/cardLimitDaily',
    );
    expect(found?.exchanges).toEqual(seqs);
    expect(JSON.stringify(report)).not.toContain('a-secret-of-the-caller');
    await queue.close();
    expect(await queue.report()).toMatchObject({ command: 'proxy', verdict: 'drift' });
  });

  test('tells that its thread cannot start, and holds nobody up then', async () => {
    const faults: string[] = [];
    const overlays = ['/no/such/overlay.yaml'];
    const queue = createJudgingQueue(
      { onEvent: (event) => faults.push(event.kind) },
      () => ({ ...BEGINNING, options: { overlays } }),
      { exchanges: 1, bytes: 1 },
    );
    queue.add({ exchange: cardOf(1), by: 'target' });
    await queue.room();
    expect(faults).toEqual(['fault']);
    await expect(queue.report()).rejects.toThrow('does not exist');
    await queue.close();
  });
});
