import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { effectsOf } from '../../src/drive/effects.ts';
import { groupsOf, intentsOf, membersOf, type Write } from '../../src/drive/intents.ts';

const contract = await loadContract();
let seq = 0;

function write(operationId: string, json: unknown, card = 'k1'): Write {
  const { method, path } = contract.operation(operationId) ?? {};
  seq += 1;
  const target = (path ?? '').replace(/\{cardId\}/, card).replace(/\{(\w+)\}/g, '$1');
  const request = { method: method ?? '', target, headers: [], body: Buffer.from(JSON.stringify(json)) };
  return { seq, operationId, members: membersOf(request), acted: true };
}

/** How often each intent of a program took effect in a disturbed run. */
function effects(program: () => readonly Write[], disturbed: readonly Write[]): string[] {
  const groups = groupsOf([program(), program(), program()]);
  if (typeof groups === 'string') throw new Error(groups);
  const intents = intentsOf(groups, disturbed);
  const effect = effectsOf(intents, disturbed, contract);
  return intents.map((intent) => `${intent.group.operationId} ${intent.intended} ${effect(intent)}`);
}

const put = (alias: string, card?: string) => write(PUT, { alias }, card);
const [PUT, POST] = ['updateCardAlias', 'issueNewCard'];

test('a repeated PUT takes effect once', () => {
  expect(effects(() => [put('a')], [put('a'), put('a')])).toEqual([`${PUT} 1 1`]);
  expect(effects(() => [put('a'), put('a')], [put('a'), put('a'), put('a')])).toEqual([`${PUT} 2 2`]);
});

test('a repeated PUT restores an old state if another write came in between', () => {
  const program = () => [put('a'), put('b')];
  expect(effects(program, [put('a'), put('b'), put('a')])).toEqual([`${PUT} 1 2`, `${PUT} 1 1`]);
});

test('writes to another resource do not come in between', () => {
  const program = () => [put('a', 'k1'), put('b', 'k2')];
  expect(effects(program, [put('a', 'k1'), put('b', 'k2'), put('a', 'k1')])).toEqual([`${PUT} 1 1`, `${PUT} 1 1`]);
});

test('each POST takes effect', () => {
  const post = () => write(POST, { alias: 'a' });
  expect(effects(() => [post()], [post(), post()])).toEqual([`${POST} 1 2`]);
});

test('a repeated operation restores the old state of a resource that another operation changed', () => {
  const program = () => [write('suspendCard', {}), write('activateCard', {})];
  const late = [...program(), write('suspendCard', {})];
  expect(effects(program, late)).toEqual(['suspendCard 1 2', 'activateCard 1 1']);
});
