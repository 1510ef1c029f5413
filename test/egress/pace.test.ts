import { describe, expect, test } from 'vitest';
import { createPace } from '../../src/egress/pace.ts';

/** Whether a target accepts the n-th request, which it gets at this time. */
type Accepts = (at: number, operationId: string) => boolean;

/** Makes requests one after another against a clock that only waits move. Each is retried twice. */
async function drive(accepts: Accepts, { perSecond = 100, requests = 60 } = {}) {
  let now = 5000;
  const began: number[] = [];
  const pace = createPace({
    perSecond,
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
  });
  let refused = 0;
  const failed: string[] = [];
  for (let request = 0; request < requests; request += 1) {
    const operationId = `op${request % 6}`;
    let isAccepted = false;
    for (let attempt = 0; attempt < 3 && !isAccepted; attempt += 1) {
      const begun = await pace.turn();
      began.push(begun);
      now += 5;
      isAccepted = accepts(begun, operationId);
      if (!isAccepted) refused += 1;
      pace.note(operationId, isAccepted ? 200 : 429, begun);
      if (!isAccepted) now += 250 * 2 ** attempt;
    }
    if (!isAccepted) failed.push(operationId);
  }
  return { found: pace.found, refused, failed, began };
}

function perWindow(most: number): Accepts {
  let window = -1;
  let count = 0;
  return (at) => {
    const current = Math.floor(at / 1000);
    if (current !== window) count = 0;
    window = current;
    count += 1;
    return count <= most;
  };
}

function bucket(rate: number, burst: number): Accepts {
  let tokens = burst;
  let last = 0;
  return (at) => {
    tokens = Math.min(burst, tokens + ((at - last) * rate) / 1000);
    last = at;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** Counts rejected requests as well, as some gateways do. */
function sliding(most: number): Accepts {
  const times: number[] = [];
  return (at) => {
    times.push(at);
    return times.filter((time) => time > at - 1000).length <= most;
  };
}

describe('the pace of a run', () => {
  test.each<[name: string, accepts: Accepts, most: number]>([
    ['7 requests in each second', perWindow(7), 7],
    ['2 requests a second and a burst of 9', bucket(2, 9), 2],
    ['9 requests in any second, rejected ones included', sliding(9), 9],
    ['1 request in each second', perWindow(1), 1],
  ])('a run finds the rate of a target that accepts %s, and every request is accepted in the end', async (...row) => {
    const [, accepts, most] = row;
    const { found, refused, failed } = await drive(accepts);
    expect(failed).toEqual([]);
    expect(found).toBeLessThanOrEqual(most);
    expect(found).toBeGreaterThanOrEqual(most / 2.5);
    expect(refused).toBeLessThanOrEqual(8);
  });

  test('a single 429 changes nothing', async () => {
    let count = 0;
    const { found, began } = await drive(() => {
      count += 1;
      return count !== 7;
    });
    expect(found).toBeNull();
    expect(Math.max(...began.slice(8).map((at, index) => at - (began[index + 7] ?? at)))).toBeLessThan(300);
  });

  test('one operation that always answers 429 is no limit of the rate, and the others are called twice a second or more', async () => {
    const { found, failed, began } = await drive((_, operationId) => operationId !== 'op3');
    expect(found).toBeNull();
    expect(new Set(failed)).toEqual(new Set(['op3']));
    expect((began.at(-1) ?? 0) - (began[0] ?? 0)).toBeLessThan(45_000);
  });

  test('a target that accepts nothing is asked twice a second', async () => {
    const { found, began } = await drive(() => false, { requests: 5 });
    expect(found).toBeNull();
    expect((began.at(-1) ?? 0) - (began[0] ?? 0)).toBeLessThan(10_000);
  });

  test('a rate of the configuration below the limit of the target is kept', async () => {
    const { found, refused } = await drive(perWindow(5), { perSecond: 4 });
    expect([found, refused]).toEqual([null, 0]);
  });
});
