import { describe, expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { withDeclaredReads } from '../../src/contract/effects.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { overlayOf } from '../support/overlay.ts';
import { LOWERING, SEARCH } from './lowering.ts';

const effectsOf = ({ operations }: Contract): Record<string, string> =>
  Object.fromEntries(operations.map(({ operationId, effect }) => [operationId, effect]));

const CARD = '/wallet/api/customers/{customerId}/cards/{cardId}';

describe('the effect of an operation', () => {
  test.each(Object.entries(LOWERING))('an effect is unchanged if %s', async (_what, source) => {
    const before = effectsOf(await loadContract());
    const after = effectsOf(await loadContract({ overlays: [source] }));
    expect({ ...before, ...after }).toEqual({ ...before, ...(source === SEARCH && { searchCards: 'write' }) });
  });

  test('an effect stays with its method and path if an overlay renames or moves operations', async () => {
    const { operations } = await loadContract();
    const reject = operations.find(({ operationId }) => operationId === 'rejectClient');
    const rename = overlayOf([
      { target: `$.paths['${reject?.path}'].put`, update: { operationId: 'harmless', 'x-effect': 'write' } },
    ]);
    expect((await loadContract({ overlays: [rename] })).operation('harmless')?.effect).toBe('destructive');
    const path = '/wallet/api/customers/{customerId}/cards';
    const swap = overlayOf([
      { target: `$.paths['${path}'].post`, remove: true },
      { target: '$.paths', update: { '/wallet/api/customers/{other}/cards': { post: { operationId: 'getClients' } } } },
    ]);
    expect((await loadContract({ overlays: [swap] })).operation('getClients')?.effect).toBe('write');
  });

  test('an overlay may raise an effect, and an ignored read declaration is reported with its line', async () => {
    const raised = overlayOf([{ target: `$.paths['${CARD}'].get`, update: { 'x-effect': 'destructive' } }]);
    expect((await loadContract({ overlays: [raised] })).operation('getCard')?.effect).toBe('destructive');
    const { notices } = withDeclaredReads(await loadContract({ overlays: [SEARCH] }));
    expect(notices.filter(({ code }) => code === 'effect-ignored')).toEqual([
      {
        code: 'effect-ignored',
        message: 'x-effect: read does not count: searchCards (POST) is write.',
        hint: 'If it only reads, add effects: { searchCards: read } to the configuration.',
        place: expect.objectContaining({ file: 'tenant.yaml', line: 8 }),
      },
    ]);
  });

  test("a POST that the package's own document declares as a read stays a read, even if an overlay gives its path", async () => {
    const located = overlayOf([
      { target: '$.paths', update: { '/clients/{customerId}/search': { post: { operationId: 'getClients' } } } },
    ]);
    const { operation } = await loadContract({ overlays: [located] });
    expect(operation('getClients')).toMatchObject({ method: 'POST', effect: 'read' });
    expect(operation('getTransactionFees')).toMatchObject({ method: 'POST', effect: 'read' });
  });

  test('a POST of another folder stays a write despite its declaration, except for its token request', async () => {
    const folder = await readContractFolder('examples/second-api');
    const post = {
      target: '$.paths',
      update: { '/v2/searches': { post: { operationId: 'search', 'x-effect': 'read' } } },
    };
    const { operation } = await loadContract({ folder, overlays: [overlayOf([post])] });
    expect(operation('fetchToken')?.effect).toBe('read');
    expect(operation('search')?.effect).toBe('write');
  });

  test('a read creates nothing', async () => {
    const creating = overlayOf([{ target: `$.paths['${CARD}'].get`, update: { 'x-creates': 'cardId' } }]);
    expect((await loadContract({ overlays: [creating] })).operation('getCard')?.creates).toBe(null);
    const declared = withDeclaredReads(await loadContract(), { issueNewCard: 'read' });
    expect(declared.operation('issueNewCard')).toMatchObject({
      effect: 'read',
      creates: null,
      lowered: true,
    });
  });
});
