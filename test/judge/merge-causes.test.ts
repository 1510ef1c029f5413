import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { parseBaseline, partByBaseline, staleEntries } from '../../src/judge/baseline.ts';
import { acceptInto } from '../../src/judge/baseline-write.ts';
import { judge } from '../../src/judge/judge.ts';
import { makeRecording } from '../../src/learn/recording.ts';
import { gather, sightingsOf } from '../../src/learn/sightings.ts';
import type { Finding } from '../../src/model/finding.ts';
import { type AnswerSpec, call } from './calls.ts';

type Bodies = Readonly<Record<string, unknown>>;

const GOOD: Bodies = {
  getCard: { cardId: 'k', homeAddress: { cityName: 'c' } },
  listClientCards: { cards: [{ cardId: 'k' }], pageSize: 1 },
  getCardFees: { fees: [{ feeName: 'a', amount: 1 }] },
  getAccountFees: { fees: [{ feeName: 'a', amount: 1 }] },
  getTransactionFees: { fees: [{ feeName: 'a', amount: 1 }] },
};

const contract = await recordedOf(GOOD);

/** The contract with a recording of these answers. */
async function recordedOf(bodies: Bodies): Promise<Contract> {
  const plain = await loadContract();
  const calls = Object.entries(bodies).map(([id, json]) => call(id, { json }));
  const { text } = makeRecording(plain, gather(sightingsOf(calls)));
  return loadContract({ overlays: [{ file: 'recording.yaml', text }] });
}

function found(bodies: Bodies, more: Partial<AnswerSpec> = {}, by = contract): readonly Finding[] {
  const calls = Object.entries(bodies).map(([id, json]) => call(id, { json, ...more }));
  return judge({ contract: by, calls, redact: (text) => text }).findings;
}
const brief = (findings: readonly Finding[]): string[] =>
  findings.map(({ severity, rule, operationId, pointer }) => `${severity} ${rule} ${operationId} ${pointer}`);
const each = (edit: (body: Record<string, unknown>) => unknown, bodies = GOOD): Bodies =>
  Object.fromEntries(Object.entries(bodies).map(([id, body]) => [id, edit(body as Record<string, unknown>)]));
const without = (bodies: Bodies, id: string): Bodies =>
  Object.fromEntries(Object.entries(bodies).filter(([one]) => one !== id));
test('a field that is new in every answer is one finding', () => {
  const findings = found(each((body) => ({ ...body, requestId: 'r' })));
  expect(brief(findings)).toEqual(['warning unrecorded-field null /requestId']);
  const [finding] = findings;
  expect(finding).toMatchObject({ occurrences: 5, method: null, path: null });
  expect(finding?.exchanges).toHaveLength(5);
  expect(new Set(finding?.parts?.map(({ operationId }) => operationId))).toEqual(new Set(Object.keys(GOOD)));
  expect(finding?.message).toContain('in 5 operations: getCardFees, getAccountFees');
});

const fresh = (body: Record<string, unknown>): unknown => ({ ...body, requestId: 'r' });

test('a new field is reported per operation if fewer than three operations show it', () => {
  expect(brief(found({ ...GOOD, getCard: fresh(GOOD.getCard as Record<string, unknown>) }))).toEqual([
    'warning unrecorded-field getCard /requestId',
  ]);
  const three = { ...each(fresh), getCard: GOOD.getCard, getCardFees: GOOD.getCardFees };
  expect(brief(found(three))).toEqual(['warning unrecorded-field null /requestId']);
  const two = { ...three, listClientCards: GOOD.listClientCards };
  expect(brief(found(two))).toHaveLength(2);
});

const mapped = (value: unknown, edit: (scalar: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapped(item, edit));
  if (typeof value !== 'object' || value === null) return edit(value);
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, mapped(child, edit)]));
};

test('a type that changed everywhere is one finding', () => {
  const texts = each((body) => mapped(body, (one) => (typeof one === 'number' ? String(one) : one)));
  const [finding, ...others] = found(texts);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ rule: 'type-contradicted', operationId: null, pointer: '' });
  expect(finding?.message).toBe(
    'number became string in 4 places: getCardFees, getAccountFees, getTransactionFees, listClientCards.',
  );
});

describe('an envelope around every answer', () => {
  const bare: Bodies = {
    ...GOOD,
    getCard: { cardLimitDaily: 1, cardDesign: 'blue', alias: 'a', owner: { name: 'n' } },
  };
  const wrapped = each((data) => ({ data, meta: { requestId: 'r', pageCount: 1 } }), bare);

  test('removing it is one finding, even if the document describes some of the fields outside of it', async () => {
    const documented = { ...bare, getCard: { cardLimitDaily: 1, cardDesign: 'blue' } };
    const wrappedToo = { ...wrapped, getCard: { data: documented.getCard, meta: { requestId: 'r' } } };
    expect(brief(found(documented, {}, await recordedOf(wrappedToo)))).toEqual(['warning fields-moved null ']);
    const findings = found(bare, {}, await recordedOf(wrapped));
    expect(brief(findings)).toEqual(['warning fields-moved null ']);
    expect(findings[0]?.message).toMatch(
      /^In the body, the fields inside \/data are now at this level\. It is so in 5 operations: /,
    );
  });

  test('adding it is one finding, and removing it in one operation names the fields', async () => {
    const findings = found(wrapped, {}, await recordedOf(bare));
    expect(brief(findings)).toEqual(['warning fields-moved null ']);
    expect(findings[0]?.message).toContain('In the body, the fields at this level are now inside /data.');
    const single = found({ ...wrapped, getCardFees: bare.getCardFees }, {}, await recordedOf(wrapped));
    expect(single.map(({ message }) => message)).toEqual(['In the body, fees inside /data are now at this level.']);
  });
});

describe('requests without a token', () => {
  const judged = (ids: readonly string[], open: (id: string) => number | null): readonly Finding[] => {
    const calls = ids.flatMap((id) => [
      call(id, { json: GOOD[id] }),
      call(id, { status: open(id) ?? 401, json: GOOD[id] }, { purpose: 'refuse-token', auth: 'none' }),
    ]);
    return judge({ contract, calls, redact: (text) => text }).findings;
  };
  const all = Object.keys(GOOD);

  test('requests without a token that every operation serves are one finding, for any status', () => {
    const findings = judged(all, (id) => (id === 'getCard' ? 201 : 200));
    expect(brief(findings)).toEqual(['error token-not-refused null ']);
    expect(findings[0]).toMatchObject({ actual: '2XX', expected: '401' });
    expect(findings[0]?.message).toContain(
      'The target answers 2XX to a request without a valid token. It is so in 5 operations',
    );
  });

  test('requests without a token that two operations serve are two findings', () => {
    expect(judged(all, (id) => (id === 'getCard' || id === 'getCardFees' ? 200 : null))).toHaveLength(2);
  });
});

describe('the fingerprint of a merged finding', () => {
  const changed = each((body) => ({ ...body, requestId: 'r' }));

  test('the fingerprint stays if one operation does not answer, and differs from every part', () => {
    const [all] = found(changed);
    for (const id of Object.keys(GOOD)) expect(found(without(changed, id))[0]?.fingerprint, id).toBe(all?.fingerprint);
    expect(all?.parts?.map(({ fingerprint }) => fingerprint)).not.toContain(all?.fingerprint);
  });

  test('the parts of a merged finding have the fingerprints of single findings', () => {
    const [all] = found(changed);
    for (const { operationId, pointer, fingerprint } of all?.parts ?? []) {
      expect(found({ ...GOOD, [operationId]: changed[operationId] })).toMatchObject([
        { operationId, pointer, fingerprint },
      ]);
    }
  });

  test('another field gives another fingerprint', () => {
    const other = found(each((body) => ({ ...body, traceId: 'r' })));
    expect(other[0]?.fingerprint).not.toBe(found(changed)[0]?.fingerprint);
  });
});

test('an empty list in an unknown envelope is one finding of two operations', () => {
  const ids = ['listClientCards', 'getCardFees'];
  const bad = ids.map((id) =>
    call(
      id,
      [0, 1].map(() => ({ json: { items: [], count: 0 } })),
    ),
  );
  const good = ['getCard', 'getAccountFees', 'getTransactionFees'].map((id) => call(id, { json: GOOD[id] }));
  const { findings } = judge({ contract, calls: [...bad, ...good], redact: (text) => text });
  expect(brief(findings)).toEqual(['warning object-replaced null ']);
  expect(findings[0]?.message).toContain('in 2 operations: getCardFees, listClientCards');
});

describe('a baseline', () => {
  const today = '2026-11-22';
  const entry = (fingerprint: string, expires = '2027-01-31') => ({
    ...{ fingerprint, expires, reason: 'known', owner: null, rule: null, operation: null, pointer: null },
    ...{ checks: [], parts: [] },
  });
  const findings = () => found(each((body) => ({ ...body, requestId: 'r' })));
  const ended = (all: readonly Finding[]) => ({
    ...{ findings: all, coverage: [], interrupted: false, rules: {} },
    checks: [{ id: 'cards.answers.getCard', operationId: 'getCard', kind: 'any', outcome: 'passed' }] as const,
  });

  test('a baseline accepts a merged finding by its own fingerprint', () => {
    const [all] = findings();
    const { active, accepted } = partByBaseline(findings(), { entries: [entry(all?.fingerprint ?? '')] }, today);
    expect([active, accepted.length]).toEqual([[], 1]);
  });

  test('a baseline accepts a merged finding only if all parts are accepted, until the first expires', () => {
    const parts = findings()[0]?.parts ?? [];
    const entries = parts.map(({ fingerprint }, index) => entry(fingerprint, `2027-01-0${index + 1}`));
    expect(partByBaseline(findings(), { entries }, today)).toMatchObject({
      active: [],
      accepted: [{ expires: '2027-01-01' }],
    });
    expect(partByBaseline(findings(), { entries }, '2027-01-02').active).toHaveLength(1);
    expect(partByBaseline(findings(), { entries: entries.slice(1) }, today).active).toHaveLength(1);
    expect(staleEntries({ entries }, ended(findings()))).toEqual([]);
    expect(staleEntries({ entries }, ended([]))).toHaveLength(entries.length);
  });

  describe('of an accepted change of several operations', () => {
    const changedIn = (...ids: string[]) =>
      found({ ...GOOD, ...Object.fromEntries(ids.map((id) => [id, fresh(GOOD[id] as Record<string, unknown>)])) });
    const accepting = async (text: string | null, all: readonly Finding[]) => {
      const written = await acceptInto(text, all, { reason: 'known', expires: '2027-01-31' });
      return { written, ...(await parseBaseline(written, 'b.yaml')) };
    };
    const three = ['getCard', 'getCardFees', 'getAccountFees'];

    test('the finding stays accepted if it is fixed in some operations, and its entry is not stale', async () => {
      const baseline = await accepting(null, changedIn(...three));
      for (const left of [three, three.slice(1), three.slice(2)]) {
        const now = changedIn(...left);
        expect(partByBaseline(now, baseline, today)).toMatchObject({ active: [], expired: [] });
        expect(staleEntries(baseline, ended(now))).toEqual([]);
      }
      expect(staleEntries(baseline, ended([]))).toMatchObject([{ fingerprint: baseline.entries[0]?.fingerprint }]);
    });

    test('only the operations in which it was not accepted are new, until they are accepted as well', async () => {
      const baseline = await accepting(null, changedIn(...three));
      const now = changedIn(...three, 'listClientCards');
      const { active, accepted } = partByBaseline(now, baseline, today);
      expect(accepted).toEqual([]);
      expect(active).toMatchObject([{ parts: [{ operationId: 'listClientCards', pointer: '/requestId' }] }]);
      expect(active[0]?.message).toMatch(/The baseline accepts it except in listClientCards \/requestId\.$/);
      const extended = await accepting(baseline.written, active);
      expect(partByBaseline(now, extended, today).active).toEqual([]);
      expect(extended.entries).toHaveLength(1);
      const [elsewhere] = partByBaseline(changedIn('getCard', 'listClientCards'), baseline, today).active;
      expect(elsewhere).toMatchObject({ operationId: 'listClientCards' });
    });

    test('an entry without places accepts the finding in every operation', async () => {
      const [all] = changedIn(...three);
      const entries = [entry(all?.fingerprint ?? '')];
      expect(partByBaseline(changedIn(...three, 'listClientCards'), { entries }, today).active).toEqual([]);
    });

    test('a place whose number looks like an integer in one night stays accepted', async () => {
      const words = await recordedOf(each((body) => mapped(body, () => 'text')));
      const now = (value: number) =>
        found(
          each((body) => mapped(body, () => value)),
          {},
          words,
        );
      const baseline = await accepting(null, now(1.5));
      expect(now(2).map(({ fingerprint }) => fingerprint)).toEqual([baseline.entries[0]?.fingerprint]);
      expect(partByBaseline(now(2), baseline, today).active).toEqual([]);
    });
  });
});

test('a recording truncated after a line causes only its notice, and no finding', async () => {
  const plain = await loadContract();
  const calls = Object.entries(GOOD).map(([id, json]) => call(id, { json }));
  const lines = makeRecording(plain, gather(sightingsOf(calls)))
    .text.trimEnd()
    .split('\n');
  let loaded = 0;
  for (let count = 8; count < lines.length; count += 5) {
    const text = lines.slice(0, count).join('\n');
    const cut = await loadContract({ overlays: [{ file: 'recording.yaml', text }] }).catch(() => null);
    if (cut === null) continue;
    loaded += 1;
    expect(cut.notices.map(({ code }) => code)).toContain('recording-cut-off');
    expect(
      brief(found(GOOD, {}, cut)).filter((line) => !line.startsWith('info')),
      text,
    ).toEqual([]);
  }
  expect(loaded).toBeGreaterThan(10);
});

describe('one object shown by two operations', () => {
  const cards: Bodies = {
    ...GOOD,
    getCard: { cardLimitDaily: 1, tier: { code: 'a', rank: 1 } },
    listClientCards: { cards: [{ cardLimitDaily: 1, tier: { code: 'a', rank: 1 } }], pageSize: 1 },
  };
  let known: Contract;
  beforeAll(async () => {
    known = await recordedOf(cards);
  });
  const changed = (card: object, inList: object = card): Bodies => ({
    ...cards,
    getCard: card,
    listClientCards: { cards: [inList], pageSize: 1 },
  });

  test('an object of another type in both operations is one finding', () => {
    const findings = found(changed({ cardLimitDaily: 1, tier: { code: 5, rank: 1 } }), {}, known);
    expect(brief(findings)).toEqual(['warning type-contradicted null /cards/*/tier/code']);
    expect(findings[0]?.parts).toHaveLength(2);
    expect(findings[0]?.message).toMatch(/It is one object \(Card\), in getCard, listClientCards\.$/);
  });

  test('a merged finding is recognised by its part in one operation, and other differences stay separate', () => {
    const both = found(changed({ cardLimitDaily: 'x' }), {}, known);
    const single = found({ ...changed({ cardLimitDaily: 'x' }), listClientCards: cards.listClientCards }, {}, known);
    const parts = both.flatMap((finding) => finding.parts ?? []).map(({ fingerprint }) => fingerprint);
    const alone = single.find(({ rule }) => rule === 'type-contradicted');
    expect(alone?.operationId).toBe('getCard');
    expect(parts).toContain(alone?.fingerprint);
    const apart = found(changed({ cardLimitDaily: 'x' }, { cardLimitDaily: [] }), {}, known);
    expect(brief(apart).filter((line) => line.includes('type-contradicted'))).toHaveLength(2);
  });
});
