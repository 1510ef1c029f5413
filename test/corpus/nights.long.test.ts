import { describe, expect, test, vi } from 'vitest';
import { month, recordWorld, redOf, startNight, WORLDS, type World } from '../../bench/nights.ts';
import { verify } from '../../src/run/verify.ts';
import { drive, OPTIONS } from './drive.ts';
import type { Body, Served } from './world.ts';

vi.setConfig({ testTimeout: 300_000 });

/** The fixed sample: thirty nights each. */
const SEEDS = [1, 2, 3];

describe('ninety unchanged nights pass', () => {
  test.each(WORLDS.map((world) => [world.name, world] as const))('%s', async (_, world) => {
    for (const seed of SEEDS) expect((await month(world, seed)).why).toEqual([]);
  });

  test.each(WORLDS.map((world) => [world.name, world] as const))('with the card of a list: %s', async (_, world) => {
    const { cardId: _id, ...parameters } = OPTIONS.parameters;
    const { known, nights } = await recordWorld(world, 4);
    for (let night = nights; night < nights + 30; night += 1)
      expect([night, await redOf(world, known, 4, night, { parameters })]).toEqual([night, []]);
  });

  test('a whole verify that fails on warnings exits with 0', async () => {
    const world = WORLDS[1] as World;
    const { known } = await recordWorld(world, 6);
    for (const night of [1, 2, 3]) {
      await using sandbox = await startNight(world, 6, night);
      const overlays = [...known.overlays];
      const report = await verify({ ...OPTIONS, target: sandbox.url, overlays, failOn: 'warning' });
      expect([report.findings.filter(({ severity }) => severity !== 'info'), report.exitCode]).toEqual([[], 0]);
    }
  });
});

test('three samples of a changing sandbox are too few: nights fail for months', async () => {
  const { red } = await month(WORLDS[1] as World, 5, 3);
  expect(red).toBeGreaterThan(10);
});

/** One drift in a changing sandbox, and the expected finding. */
const DRIFTS: readonly (readonly [string, Served, (body: Body) => void, string])[] = [
  ['a field is removed', 'getCard', (body) => delete body.status, 'required-missing getCard /status'],
  ['a type changed', 'getCard', (body) => (body.count = 'many'), 'type-contradicted getCard /count'],
  ['a field is added', 'getClient', (body) => (body.fresh = 1), 'unrecorded-field getClient /fresh'],
  [
    'a date has another format',
    'getTransaction',
    (body) => (body.opened = '1.5.2025'),
    'format-contradicted getTransaction /opened',
  ],
  ['null appeared', 'getClient', (body) => (body.status = null), 'type-contradicted getClient /status'],
  ['a list became an object', 'getCard', (body) => (body.limits = {}), 'type-contradicted getCard /limits'],
  [
    'a value of a map became a string',
    'getClient',
    (body) => (body.balances = { PLN: 'much' }),
    'type-contradicted getClient /balances/*',
  ],
  [
    'a field of the items is removed',
    'getAccounts',
    (body) => body.accounts.push({ ...body.accounts[0], accountId: undefined, amount: 1, id: 'x' }),
    'required-missing getAccounts /accounts/*/accountId',
  ],
];

describe('a recording until nothing new came finds drift in a changing sandbox', () => {
  const world = WORLDS[1] as World;
  const recorded = recordWorld(world, 7);
  test.each(DRIFTS)('%s', async (_, operation, change, wanted) => {
    const { known } = await recorded;
    expect(await redOf(world, known, 7, 1)).toEqual([]);
    await using sandbox = await startNight(world, 7, 1, (id, body) => {
      if (id === operation) change(body);
      return body;
    });
    const { judged } = await drive(sandbox.url, known);
    const said = judged.findings.filter(({ severity }) => severity === 'warning');
    expect(said.map(({ rule, operationId, pointer }) => `${rule} ${operationId} ${pointer}`)).toContain(wanted);
  });
});
