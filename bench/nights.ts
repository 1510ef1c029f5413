/**
 * Months of calm nights. Each sandbox is recorded once with the defaults. Then it runs thirty nights with other data
 * against the recording. A night is red if it has a finding of warning or error, or an inconclusive check.
 */

import type { VerifyOptions } from '../src/run/options.ts';
import { drive, driveAndLearn, type Known, know } from '../test/corpus/drive.ts';
import { operationAt } from '../test/corpus/stand-in.ts';
import {
  answerOf,
  type Body,
  type Random,
  randomFrom,
  SERVED_IDS,
  type Served,
  TENANT,
  TENANT_PARAMETERS,
} from '../test/corpus/world.ts';
import { json, type Sandbox, startSandbox } from '../test/run/sandbox.ts';

/** A sandbox in which nothing drifts. */
export interface World {
  readonly name: string;
  /** Whether each night has other data, so that it is recorded night after night until nothing new comes. */
  readonly settlesByNight?: true;
  /** The good answer to the n-th request of a night; `undefined` for an empty one. */
  answer(operationId: Served, at: { readonly seed: number; readonly night: number; readonly nth: number }): Body;
}

const indexOf = (operationId: Served): number => SERVED_IDS.indexOf(operationId);
const randomAt = (operationId: Served, ...numbers: readonly number[]): Random =>
  randomFrom(numbers.reduce((sum, number) => Math.imul(sum, 7919) + number * 104_729, indexOf(operationId) * 101 + 1));

const CURRENCIES = ['GBP', 'EUR', 'USD', 'JPY', 'CHF', 'PLN', 'SEK', 'NOK', 'CZK', 'HUF'] as const;

/** A record with many kinds of optional fields, each with its own probability. */
function richly(random: Random, id: string): Body {
  const below = (limit: number): number => Math.floor(random() * limit);
  const maybe = (likely: number, name: string, value: unknown): object => (random() < likely ? { [name]: value } : {});
  const digits = (length: number): string => Array.from({ length }, () => below(10)).join('');
  const day = (): string => `20${10 + below(20)}-0${1 + below(9)}-1${below(10)}`;
  const word = (): string => `${'abcdefgh'[below(8)]}${below(1e6).toString(36)}`;
  return {
    id,
    status: ['ACTIVE', 'FROZEN', 'CLOSED'][below(3)],
    opened: day(),
    // numbers for most, and something else for some
    reference: random() < 0.7 ? digits(8) : `X-${word()}`,
    legacyId: random() < 0.8 ? digits(6) : null,
    contact: random() < 0.75 ? `${word()}@bank.example` : `+44${digits(9)}`,
    amount: random() < 0.6 ? below(1000) : below(100_000) / 100,
    count: below(9),
    balances: Object.fromEntries(
      Array.from({ length: 1 + below(3) }, () => [CURRENCIES[below(CURRENCIES.length)] ?? 'GBP', below(10_000) / 100]),
    ),
    held: { total: below(100), ...maybe(0.6, CURRENCIES[below(CURRENCIES.length)] ?? 'GBP', below(100)) },
    limits: Array.from({ length: below(4) }, () => ({ kind: word(), ...maybe(0.5, 'until', day()) })),
    ...maybe(0.8, 'alias', random() < 0.3 ? null : word()),
    ...maybe(0.5, 'note', word()),
    ...maybe(0.3, 'closed', day()),
    ...maybe(0.5, 'holder', { name: word(), ...maybe(0.6, 'phone', digits(11)) }),
  };
}

/** Further documented fields of a card. */
function card(random: Random, id: string): Body {
  const below = (limit: number): number => Math.floor(random() * limit);
  return {
    ...richly(random, id),
    cardProgramme: `p${below(9)}`,
    cardDesign: `d${below(9)}`,
    cardLimitDaily: below(1000),
    cardLimitMonthly: below(9000),
    cardLimitTransaction: below(100),
    ...(random() < 0.5 ? { token: `t${below(1e9)}` } : {}),
  };
}

/** Lists of records with different makers. `page` exists if there are more. */
function richAnswer(operationId: Served, random: Random, ids: () => readonly string[]): Body {
  const below = (limit: number): number => Math.floor(random() * limit);
  const more = random() < 0.4 ? { next: `/page/${below(99)}` } : { next: null };
  switch (operationId) {
    case 'getCard':
      return card(random, 'k-4');
    case 'listClientCards':
      return { cards: ids().map((id) => card(random, id)), ...more };
    case 'getAccounts':
      return { accounts: ids().map((id) => ({ ...richly(random, id), accountId: id })), ...more };
    case 'getClient':
      return { ...richly(random, 'cl-2'), clientId: 'cl-2', paymentProvider: `P${below(3)}` };
    case 'getTransaction':
      return { ...richly(random, 't-5'), purposeCode: `c${below(9)}` };
    case 'getBeneficiaries':
      return ids().map((id) => ({ ...richly(random, id), visible: random() < 0.5 }));
    case 'getAvailablePartnerProducts':
      return undefined;
    default:
      return { fees: ids().map((id) => ({ name: id, amount: below(10_000) / 100 })), ...more };
  }
}

function someIds(random: Random, least: number, most: number): string[] {
  return Array.from(
    { length: least + Math.floor(random() * (most - least + 1)) },
    () => `r-${Math.floor(random() * 1e6)}`,
  );
}

export const WORLDS: readonly World[] = [
  {
    name: 'every answer is another, optional fields every other time',
    answer: (id, { seed, night, nth }) => answerOf(id, randomAt(id, seed, night, nth)),
  },
  {
    name: 'every answer is another, rarer fields, mixed texts, currencies as keys',
    answer(id, { seed, night, nth }) {
      const random = randomAt(id, seed, night, nth);
      return richAnswer(id, random, () => someIds(random, 0, 8));
    },
  },
  {
    name: 'the same customer each night, among forty that come and go',
    answer: (id, at) => townAnswer(id, at, 0),
  },
  {
    name: 'another customer each night, recorded until nothing new comes',
    settlesByNight: true,
    answer: (id, at) => townAnswer(id, at, at.night),
  },
  {
    name: 'a client with other keys in two maps each night',
    settlesByNight: true,
    answer: keyedAnswer,
  },
  { name: 'one transaction each night, recorded with rare fields', answer: rareAnswer },
  {
    name: 'one customer of whom nothing changes but the id and time of each answer',
    answer(id, { seed, night, nth }) {
      const body = richAnswer(id, randomAt(id, seed), () => ['r-1', 'r-2', 'r-3']);
      if (body === undefined || Array.isArray(body)) return body;
      const generatedAt = new Date(Date.UTC(2027, 0, night + 20, 2, 0, nth)).toISOString();
      return { ...body, requestId: randomAt(id, seed, night, nth)().toString(36), generatedAt };
    },
  },
];

const CODE_COUNT = 900;

/** A client whose products, by code, and permissions, by name, are others each night. */
function keyedAnswer(id: Served, { seed, night }: { readonly seed: number; readonly night: number }): Body {
  const random = randomAt(id, seed, night);
  const body = answerOf(id, randomAt(id, seed));
  if (id !== 'getClient') return body;
  const number = (): number => Math.floor(random() * CODE_COUNT);
  const entries = (key: () => string, value: () => Body) => Array.from({ length: 3 }, () => [key(), value()]);
  const products = entries(
    () => `T${100 + number()}`,
    () => ({ rate: random(), ...(random() < 0.5 && { until: '2027-01-31' }) }),
  );
  const rights = entries(
    () => `by${number().toString(36).replaceAll(/\d/g, 'x')}`,
    () => [{ right: 'read', limit: number() }],
  );
  return { ...body, products: Object.fromEntries(products), rights: Object.fromEntries(rights) };
}

/** The recorded card has two fields that later cards lack, one by one. */
function rareAnswer(id: Served, { seed, night }: { readonly seed: number; readonly night: number }): Body {
  const body = answerOf(id, randomAt(id, seed, night));
  if (id !== 'getTransaction') return answerOf(id, randomAt(id, seed));
  const rare = { remark: 'x', channel: { kind: 'x', device: 'y' } };
  return night === 0 ? { ...body, ...rare } : { ...body, ...(night % 3 === 0 && { channel: { kind: 'z' } }) };
}

/** A bank with forty customers; one in ten is replaced each night. Constant within a night. */
function townAnswer(
  id: Served,
  { seed, night }: { readonly seed: number; readonly night: number },
  which: number,
): Body {
  const records = Array.from({ length: 40 }, (_, place) => place * 31 + Math.floor((night + place) / 10));
  const first = richAnswer(id, randomAt(id, seed, which * 7 + 3), () => []);
  if (id === 'getCard' || id === 'getClient' || id === 'getTransaction' || first === undefined) return first;
  const random = randomAt(id, seed, night);
  const present = records.filter(() => random() < 0.8);
  return joined(
    present.map((record) => richAnswer(id, randomAt(id, seed, record), () => [`r-${record}`])),
    first,
  );
}

/** Concatenates lists at the same place. */
function joined(lists: readonly Body[], first: Body): Body {
  if (Array.isArray(first)) return lists.flat();
  const [name] = Object.keys(first);
  return { ...first, [name ?? '']: lists.flatMap((list) => list[name ?? '']) };
}

/** The sandbox of a world for one night. */
export function startNight(
  world: World,
  seed: number,
  night: number,
  edit?: (id: Served, body: Body) => Body,
): Promise<Sandbox> {
  const counts = new Map<Served, number>();
  return startSandbox({
    fault({ method, path, authorization }, response) {
      // a card that only the list of the night shows
      const operationId = operationAt(method, path.replace(/(?<=\/cards\/)[^/]+$/, TENANT_PARAMETERS.cardId ?? ''));
      if (operationId === undefined || !authorization.startsWith('Bearer ey')) return false;
      const nth = (counts.get(operationId) ?? 0) + 1;
      counts.set(operationId, nth);
      const body = world.answer(operationId, { seed, night, nth });
      const sent = edit?.(operationId, body) ?? body;
      if (sent === undefined) response.writeHead(204).end();
      else json(response, 200, sent);
      return true;
    },
  });
}

/** Recordings in a row that show nothing new, or half of them if there were more: the measure of `record` for answers. */
const QUIET = 16;

export interface RecordedWorld {
  readonly known: Known;
  /** Requests that the recording took. */
  readonly requests: number;
  /** Nights that it took. */
  readonly nights: number;
}

/** Records a world in the nights before the month, as docs/record.md asks. */
export async function recordWorld(world: World, seed: number, samples?: number): Promise<RecordedWorld> {
  const bare = await know([TENANT]);
  let text: string | undefined;
  let requests = 0;
  let nights = 0;
  for (let quiet = 0; nights === 0 || (world.settlesByNight && quiet < Math.max(QUIET, nights / 2)); nights += 1) {
    await using sandbox = await startNight(world, seed, nights);
    const { recording } = await driveAndLearn(sandbox.url, bare, { over: text, ...(samples && { samples }) });
    quiet = recording?.changes.length === 0 ? quiet + 1 : 0;
    text = recording?.text;
    requests += sandbox.seen.length;
  }
  return { known: await know([TENANT, { file: 'recording.yaml', text: text ?? '' }]), requests, nights };
}

/** The reasons why a night is red; empty for a green one. */
export async function redOf(
  world: World,
  known: Known,
  seed: number,
  night: number,
  options: VerifyOptions = {},
): Promise<string[]> {
  await using sandbox = await startNight(world, seed, night);
  const { judged } = await drive(sandbox.url, known, { ...options, infos: false });
  const unclear = [...judged.judgements].filter(([, { kind }]) => kind === 'inconclusive');
  return [
    ...judged.findings
      .filter(({ severity }) => severity !== 'info')
      .map(({ severity, rule, operationId, pointer }) => `${severity} ${rule} ${operationId} ${pointer}`),
    ...unclear.map(([{ operationId }]) => `inconclusive ${operationId}`),
  ];
}

/** A month. */
export interface Month {
  readonly red: number;
  readonly requests: number;
  readonly why: readonly string[];
}

export const NIGHTS = 30;

export async function month(world: World, seed: number, samples?: number): Promise<Month> {
  const { known, requests, nights } = await recordWorld(world, seed, samples);
  let red = 0;
  const why: string[] = [];
  for (let night = nights; night < nights + NIGHTS; night += 1) {
    const said = await redOf(world, known, seed, night);
    if (said.length > 0) red += 1;
    why.push(...said.map((one) => `${world.name}, seed ${seed}, night ${night}: ${one}`));
  }
  return { red, requests, why };
}

/** Months of every world, printed as they end: nights, red nights, and the cost of the recordings. */
export async function printNights(seeds: readonly number[], samples?: number): Promise<number> {
  const troubles: string[] = [];
  let all = 0;
  console.log(`\n${'calm nights, each sandbox recorded once'.padEnd(72)}  nights     red  requests`);
  for (const world of WORLDS) {
    let red = 0;
    let requests = 0;
    for (const seed of seeds) {
      const ended = await month(world, seed, samples);
      red += ended.red;
      requests += ended.requests;
      troubles.push(...ended.why);
    }
    const numbers = [seeds.length * NIGHTS, red, Math.round(requests / seeds.length)];
    console.log(`${world.name.padEnd(72)}${numbers.map((number) => String(number).padStart(8)).join('')}`);
    all += red;
  }
  for (const trouble of troubles.slice(0, 60)) console.log(trouble);
  return all;
}

if (import.meta.main) {
  const [seeds = '3', samples] = process.argv.slice(2);
  await printNights(
    Array.from({ length: Number(seeds) }, (_, index) => index + 1),
    samples === undefined ? undefined : Number(samples),
  );
}
