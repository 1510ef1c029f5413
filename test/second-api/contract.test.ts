import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conditionalFieldsOf } from '../../src/contract/conditions.ts';
import { maximaOf } from '../../src/contract/limits.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { packageRoot } from '../../src/package-root.ts';

const folder = await readContractFolder(join(packageRoot, 'examples/second-api'));
const contract = await loadContract({ root: folder.spec, overlays: [folder.assumptions] });

describe('facts of another contract', () => {
  test('the engine reads the token operation, the lifetime and the client authentication', () => {
    expect(contract.token).toMatchObject({ operationId: 'fetchToken', clientAuthentication: 'form', lifetime: 600 });
  });

  test('the engine reads the tenant from a header', () => {
    expect(contract.tenant).toEqual({ name: 'X-Post-Office', in: 'header' });
  });

  test('the engine reads which operations need a token', () => {
    const without = contract.operations.filter(({ auth }) => auth !== 'bearer');
    expect(without.map(({ operationId, auth }) => [operationId, auth])).toEqual([
      ['fetchToken', 'issues'],
      ['readFlyingWeather', 'none'],
    ]);
  });

  test('the engine reads which operations create and remove resources', () => {
    const made = contract.operations.flatMap(({ operationId, creates, removes }) =>
      creates === null && removes === null ? [] : [[operationId, creates, removes]],
    );
    expect(made).toEqual([
      ['enrolPigeon', 'pigeonRef', null],
      ['releasePigeon', null, 'pigeonRef'],
      ['sendLetter', 'letterNumber', null],
      ['recallLetter', null, 'letterNumber'],
    ]);
  });

  test('the engine reads the successor of a deprecated form with the same method', () => {
    expect(contract.operation('readFlightOfOld')).toMatchObject({
      deprecated: true,
      successor: 'readFlight',
      methodChange: null,
    });
  });

  test('the engine reads the condition and the maximum', () => {
    expect(conditionalFieldsOf(contract, '/components/schemas/Letter')).toMatchObject([
      { field: 'seaRoute', condition: 'overseas' },
    ]);
    expect(maximaOf(contract, '/components/schemas/SendLetterRequest')).toEqual({
      declaredValue: { SEK: 9000, DKK: 6000 },
    });
  });

  test('the mock assumes the path of a name-only operation', async () => {
    expect((await loadContract({ root: folder.spec })).operation('retirePigeon')).toMatchObject({ located: null });
    expect(contract.operation('retirePigeon')).toMatchObject({ located: 'assumed', method: 'PUT', tag: 'Pigeons' });
  });
});
