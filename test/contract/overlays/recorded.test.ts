import { describe, expect, test } from 'vitest';
import type { Contract } from '../../../src/contract/contract.ts';
import { loadContract } from '../../../src/contract/load.ts';
import { headOf, recordingText } from '../../../src/learn/text.ts';

const CARD = "$.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get";
const LOCATES = `overlay: 1.0.0
info: { title: Ours, version: '1' }
actions:
  - target: $.paths
    update: { '/wallet/api/customers/{customerId}/users/{userId}': { get: { operationId: getUser } } }
`;
const USER = "$.paths['/wallet/api/customers/{customerId}/users/{userId}'].get";

const recordingOf = (targets: readonly string[]): string => `overlay: 1.0.0
x-provenance: observed
info: { title: Recording, version: '1' }
actions:
${targets.map((target) => `  - target: ${JSON.stringify(target)}\n    update: { responses: { '200': { description: Observed. } } }\n`).join('')}`;
const written = (contract: Contract, targets: readonly string[]): string => {
  const actions = targets.map((target) => ({ target, update: { responses: { '200': { description: 'Observed.' } } } }));
  return recordingText(headOf(contract, actions), actions);
};
const load = (...texts: readonly string[]): Promise<Contract> =>
  loadContract({ overlays: texts.map((text, index) => ({ file: `${index}.yaml`, text })) });
const told = ({ notices }: Contract) =>
  notices.filter(({ code }) => code !== 'unknown-operation').map(({ code, unwatched }) => [code, unwatched]);

describe('recorded operations that no run checks', () => {
  test('an overlay order that loses a recorded action names the operation; the right order loses nothing', async () => {
    expect(told(await load(recordingOf([CARD, USER]), LOCATES))).toEqual([['overlay-target-unmatched', ['getUser']]]);
    expect(told(await load(LOCATES, recordingOf([CARD, USER])))).toEqual([]);
    // an operation is still checked by another action of the recording
    const twice = recordingOf([CARD, `${CARD}.responses['404']`]);
    expect(told(await load(twice))).toEqual([['overlay-target-unmatched', undefined]]);
    // an overlay that is not a recording does not count
    expect(told(await load(recordingOf([USER]).replace('observed', 'documented')))).toEqual([
      ['overlay-target-unmatched', undefined],
    ]);
  });

  test('a truncated recording is detected by its missing last line, and the lost operations are named', async () => {
    const contract = await load(LOCATES);
    const whole = written(contract, [CARD, USER]);
    expect(whole).toMatch(/\nx-complete: true\n$/);
    expect(told(await load(LOCATES, whole))).toEqual([]);
    const lines = whole.split('\n');
    const second = lines.findLastIndex((line) => line.includes('- target'));
    expect(told(await load(LOCATES, `${lines.slice(0, second).join('\n')}\n`))).toEqual([
      ['recording-cut-off', ['getCard', 'getUser']],
    ]);
    // the last action may be incomplete
    expect(told(await load(LOCATES, whole.replace('x-complete: true\n', '')))).toEqual([
      ['recording-cut-off', ['getUser']],
    ]);
  });

  test('a recording of another version or contract is reported, and still applies', async () => {
    const whole = written(await load(), [CARD]);
    expect(told(await load(whole.replace(/version: '?1\.1'?/, "version: '1.0'")))).toEqual([
      ['recording-of-another-version', undefined],
    ]);
    expect(told(await load(whole.replace('contract: banking-api', 'contract: another')))).toEqual([
      ['recording-of-another-version', undefined],
    ]);
  });
});
