import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { judge, refutedAssumptions } from '../../src/judge/judge.ts';
import type { Call } from '../../src/model/call.ts';
import type { Finding } from '../../src/model/finding.ts';
import { call } from './calls.ts';
import { observed } from './observed.ts';

const RECORDED = observed(`  - target: "$.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get.responses"
    update:
      '200':
        description: recorded
        content: { application/json: { schema: { $ref: '#/components/schemas/Card' } } }
`);

let bare: { contract: Contract; assumptions: Contract };
let recorded: { contract: Contract; assumptions: Contract };
beforeAll(async () => {
  const both = async (overlays: readonly (typeof RECORDED)[]) => ({
    contract: await loadContract({ overlays }),
    assumptions: await loadContract({ assumed: true, overlays }),
  });
  bare = await both([]);
  recorded = await both([RECORDED]);
});

function refuted(calls: readonly Call[], { contract, assumptions } = bare): Promise<Finding[]> {
  const options = { contract, calls, redact: (text: string) => text };
  return refutedAssumptions(options, assumptions, judge(options).findings);
}

describe('assumptions contradicted by an answer', () => {
  test('a contradicted assumption is an info that names the overlay line to change', async () => {
    const [finding, ...more] = await refuted([call('getCard', { json: { status: 'DORMANT' } })]);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      severity: 'info',
      provenance: 'assumed',
      rule: 'value-contradicted',
      pointer: '/status',
      location: { file: 'mocks/assumptions.overlay.yaml' },
    });
    expect(finding?.message).toContain(`change mocks/assumptions.overlay.yaml:${finding?.location?.line}`);
  });

  test('a contradicted assumption is not reported if a documented fact is contradicted at the same place', async () => {
    expect(await refuted([call('getCard', { json: 'no object' })])).toEqual([]);
  });

  test('a contradicted assumption is not reported if a recording covers the operation', async () => {
    const calls = [call('getCard', { json: { status: 'DORMANT' } })];
    expect(await refuted(calls, recorded)).toEqual([]);
  });

  test('an answer that matches the assumption, or is not good, gives no finding', async () => {
    expect(await refuted([call('getCard', { json: { cardId: 'k', status: 'ACTIVE' } })])).toEqual([]);
    expect(await refuted([call('getCard', { status: 500, json: { cardId: 7 } })])).toEqual([]);
  });
});
