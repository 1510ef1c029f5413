import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Mock } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { bearer, send } from '../support/client.ts';
import { control } from '../support/control.ts';
import { mockOfFile } from '../support/started.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const CARDS = '/wallet/api/customers/cust-1001/cards';
const mock = await mockOfFile();

const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

/** Listens to the events of a mock. */
async function listen({ url }: Pick<Mock, 'url'>, last?: string) {
  const stop = new AbortController();
  stops.push(stop);
  const response = await fetch(`${url}/__mock/events`, {
    signal: stop.signal,
    ...(last !== undefined && { headers: { 'last-event-id': last } }),
  });
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    text: () => text,
    /** The events so far: their names and, for an exchange, its number. */
    events: () =>
      [...text.matchAll(/^id: \S+\nevent: (\w+)\ndata:(.*)\n\n/gm)].map(([, name, data]) =>
        name === 'exchange' ? (JSON.parse(data ?? '') as { seq: number }).seq : name,
      ),
    lastId: () => [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? '',
    async until(part: string): Promise<void> {
      while (!text.includes(part)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`ended before ${part}`);
        text += value;
      }
    },
  };
}

describe('server-sent events', () => {
  test('the stream sends every exchange as it ends, and the missed ones first', async () => {
    await send(mock, { path: CARD, headers: { authorization: await bearer(mock) } });
    const heard = await listen(mock, '0');
    expect(heard.response.headers.get('content-type')).toBe('text/event-stream');
    await heard.until('"operationId":"getCard"');
    await send(mock, { path: '/something-else' });
    await heard.until('/something-else');
    const lines = heard
      .text()
      .split('\n')
      .filter((line) => line.startsWith('data: '));
    expect(JSON.parse(lines.at(-1)?.slice(6) ?? '')).toMatchObject({ method: 'GET', path: '/something-else', v: 1 });
    expect(heard.text()).toMatch(/^id: \S+\nevent: exchange\ndata: \{/m);
  });

  test('a slow exchange that ended without a listener is sent later, even after newer ones', async () => {
    await using _ = await mock.scenario({
      name: 'slow',
      rules: [{ operations: ['getCard'], delay: 400, times: 1 }],
    });
    const headers = { authorization: await bearer(mock) };
    const heard = await listen(mock);
    const slow = send(mock, { path: CARD, headers });
    const active = async () => (await control(mock, 'GET', '/scenarios/active')).json().active as { hits: number }[];
    await expect.poll(async () => (await active())[0]?.hits).toBe(1);
    await send(mock, { path: '/quick' });
    await heard.until('/quick');
    stops.splice(0)[0]?.abort();
    expect((await slow).status).toBe(200);
    const again = await listen(mock, heard.lastId());
    await again.until('"operationId":"getCard"');
    expect(again.events()).toHaveLength(1);
  });

  test('the stream starts over if the last event id is of another start or already dropped', async () => {
    const heard = await listen(mock);
    await send(mock, { path: '/one' });
    await heard.until('/one');
    const id = heard.lastId();
    await control(mock, 'DELETE', '/journal');
    await send(mock, { path: '/two' });
    const again = await listen(mock, id);
    await again.until('/two');
    expect(again.events()).toEqual(['cleared', mock.journal.entries()[0]?.seq]);
    await using other = await startMock();
    await send(other, { path: '/three' });
    const elsewhere = await listen(other, id);
    await elsewhere.until('/three');
    expect(elsewhere.events()).toEqual(['cleared', 1]);
  });

  test('a late, slow reader gets every event, however large the exchanges were', async () => {
    const headers = { authorization: await bearer(mock), 'content-type': 'application/json' };
    const alias = 'x'.repeat(200_000);
    for (let count = 0; count < 20; count += 1)
      await send(mock, { method: 'POST', path: CARDS, headers, body: JSON.stringify({ alias }) });
    const heard = await listen(mock, '0');
    await send(mock, { path: '/the-last' });
    // the oldest comes last
    await heard.until('"operationId":"getToken"');
    expect(heard.events()).toHaveLength(22);
  });

  test('a reader that falls behind gets the newest exchanges first, then all that the journal still has', async () => {
    await using busy = await startMock({ listen: false });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const response = await busy.fetch('/__mock/events');
      const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
      const told: number[][] = [[]];
      let reads = 0;
      let ids = '';
      void (async () => {
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
          reads += 1;
          ids += read.value;
          for (const [, seq] of read.value.matchAll(/"seq":(\d+),"startedAt"/g)) told.at(-1)?.push(Number(seq));
        }
      })().catch(() => {});
      const turn = async (): Promise<void> => {
        for (let task = 0; task < 200; task += 1) await new Promise((done) => setImmediate(done));
        told.push([]);
        vi.advanceTimersByTime(100);
        for (let task = 0; task < 200; task += 1) await new Promise((done) => setImmediate(done));
      };
      for (let burst = 1; burst <= 15; burst += 1) {
        for (let index = 0; index < 100; index += 1) await busy.fetch('/nothing-here');
        await turn();
        expect(told.at(-1)).toEqual(Array.from({ length: 20 }, (_, index) => burst * 100 - 19 + index));
      }
      const heard = told.length;
      while (told.at(-1)?.length !== 0) await turn();
      // without new exchanges, a turn has more
      expect(told[heard]?.length).toBeGreaterThan(80);
      // one write for each batch, after the first line
      expect(reads).toBe(1 + told.filter((batch) => batch.length > 0).length);
      const all = told.flat();
      expect(new Set(all).size).toBe(all.length);
      expect(all.filter((seq) => seq > 500).sort((one, other) => one - other)).toEqual(
        Array.from({ length: 1_000 }, (_, index) => 501 + index),
      );
      // the reader still lacks what follows place 0
      expect(ids).toMatch(/^id: \S+\.600\.0$/m);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a reader that reconnects gets the exchanges that it had not got before', async () => {
    await using busy = await startMock();
    const heard = await listen(busy);
    const path = '/nothing-here';
    await Promise.all(Array.from({ length: 60 }, () => send(busy, { path })));
    await heard.until('"seq":60,');
    const got = new Set(heard.events());
    const missed = Array.from({ length: 60 }, (_, index) => index + 1).filter((seq) => !got.has(seq));
    stops.splice(0)[0]?.abort();
    await send(busy, { path });
    const again = await listen(busy, heard.lastId());
    for (const seq of [...missed, 61]) await again.until(`"seq":${seq},`);
  });

  test('M13: the streams end at once when the mock closes', async () => {
    const short = await startMock();
    const response = await fetch(`${short.url}/__mock/events`);
    const started = performance.now();
    const ended = response.text();
    await short.close();
    await ended;
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('a stream beyond the limit of listeners is rejected', async () => {
    await using busy = await startMock();
    const all = await Promise.all(Array.from({ length: 21 }, () => fetch(`${busy.url}/__mock/events`)));
    expect(
      all
        .map(({ status }) => status)
        .sort()
        .slice(-2),
    ).toEqual([200, 503]);
  });
});
