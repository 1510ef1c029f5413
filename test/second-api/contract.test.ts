import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conditionalFieldsOf } from '../../src/contract/conditions.ts';
import { maximaOf } from '../../src/contract/limits.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { packageRoot } from '../../src/package-root.ts';

const folder = await readContractFolder(join(packageRoot, 'examples/second-api'));
const contract = await loadContract({ root: folder.spec, overlays: [folder.assumptions] });

describe('what the engine reads from a contract that is not its own', () => {
  test('who issues tokens, how long they live, and how a client names itself', () => {
    expect(contract.token).toMatchObject({ operationId: 'fetchToken', clientAuthentication: 'form', lifetime: 600 });
  });

  test('the tenant, in a header', () => {
    expect(contract.tenant).toEqual({ name: 'X-Post-Office', in: 'header' });
  });

  test('what needs a token and what does not', () => {
    const without = contract.operations.filter(({ auth }) => auth !== 'bearer');
    expect(without.map(({ operationId, auth }) => [operationId, auth])).toEqual([
      ['fetchToken', 'issues'],
      ['readFlyingWeather', 'none'],
    ]);
  });

  test('what is created and what is taken away', () => {
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

  test('the successor of a deprecated form, whose method stays', () => {
    expect(contract.operation('readFlightOfOld')).toMatchObject({
      deprecated: true,
      successor: 'readFlight',
      methodChange: null,
    });
  });

  test('the condition and the limit', () => {
    expect(conditionalFieldsOf(contract, '/components/schemas/Letter')).toMatchObject([
      { field: 'seaRoute', condition: 'overseas' },
    ]);
    expect(maximaOf(contract, '/components/schemas/SendLetterRequest')).toEqual({
      declaredValue: { SEK: 9000, DKK: 6000 },
    });
  });

  test('an operation that the reference knows by name only, where the mock assumes it', async () => {
    expect((await loadContract({ root: folder.spec })).operation('retirePigeon')).toMatchObject({ located: null });
    expect(contract.operation('retirePigeon')).toMatchObject({ located: 'assumed', method: 'PUT', tag: 'Pigeons' });
  });
});
