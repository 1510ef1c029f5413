import { describe, expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { withDeclaredReads } from '../../src/contract/effects.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { overlayOf } from '../support/overlay.ts';
import { LOWERING, movedTo, SEARCH } from './lowering.ts';

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

  test('a POST is a read by the method and path of the own document, not by a name that an overlay takes', async () => {
    const { operation } = await loadContract();
    expect(operation('getTransactionFees')).toMatchObject({ method: 'POST', effect: 'read' });
    for (const operationId of ['getClients', 'getCardFees', 'getTransactionFees', 'getToken']) {
      const { operations, operation } = await loadContract({ overlays: [movedTo('/transactions', operationId)] });
      expect(operation(operationId)).toMatchObject({ method: 'POST', effect: 'write' });
      expect(operations.filter(({ path, effect }) => path === '/transactions' && effect === 'read')).toEqual([]);
    }
  });

  test('an overlay that names another operation as the issuer of tokens makes it no read', async () => {
    const grant = { 'x-token': { grant: { operationId: 'issueNewCard' } } };
    const issuer = overlayOf([{ target: '$.components.securitySchemes.*', update: grant }]);
    const { operation } = await loadContract({ overlays: [issuer] });
    expect(operation('issueNewCard')).toMatchObject({ auth: 'issues', effect: 'write' });
  });

  test('a TRACE is no read, because its answer repeats the token', async () => {
    const trace = overlayOf([{ target: `$.paths['${CARD}']`, update: { trace: { operationId: 'traceCard' } } }]);
    expect((await loadContract({ overlays: [trace] })).operation('traceCard')?.effect).toBe('write');
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

  test('an assumption decides neither what a located operation creates nor what it removes', async () => {
    const update = { 'x-creates': 'fileId', 'x-removes': 'cardId' };
    const wordsBy = async (provenance: string) => {
      const overlay = { overlay: '1.0.0', 'x-provenance': provenance, info: { title: 'a', version: '1' } };
      const actions = [{ target: '$.paths[*][?@.operationId=="suspendCard"]', update }];
      const text = JSON.stringify({ ...overlay, actions });
      return (await loadContract({ overlays: [{ file: 'words.json', text }] })).operation('suspendCard');
    };
    expect(await wordsBy('assumed')).toMatchObject({ located: 'documented', creates: null, removes: null });
    expect(await wordsBy('observed')).toMatchObject({ creates: 'fileId', removes: 'cardId' });
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
