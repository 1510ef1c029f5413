import { describe, expect, test } from 'vitest';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { listening } from '../cli/command.ts';
import { type Step, talk } from './journey.ts';
import { FOLDER } from './pigeons.ts';

async function answers(steps: readonly Step[], ...flags: string[]) {
  await using mock = await listening(['mock', '--contract', FOLDER, ...flags]);
  return await talk(mock.url, steps);
}

const statuses = async (steps: readonly Step[], ...flags: string[]) =>
  (await answers(steps, ...flags)).map(({ status }) => status);

const read = (operation: string, letterNumber = 'letter-1'): Step => ({ operation, parameters: { letterNumber } });
const send = (body: object): Step => ({ operation: 'sendLetter', body });

describe('mock of the second API', () => {
  test('the mock prints a token request that runs unchanged, with the secret', async () => {
    await using mock = await listening(['mock', '--contract', FOLDER]);
    const { err } = await mock.end();
    const [, shown = ''] = /^A token: +(.*)$/m.exec(err) ?? [];
    expect(shown).toBe(
      `printf %s 'sandbox-secret' | curl --data-urlencode client_id='sandbox' --data-urlencode client_secret@- -d grant_type=client_credentials '${mock.url}/oauth2/token'`,
    );
  });

  test('the mock accepts credentials in the form, issues tokens for ten minutes, and needs no token for the weather', async () => {
    await using mock = await startMock({ folder: await readContractFolder(FOLDER), clock: () => 1_700_000_000_000 });
    const form = { grant_type: 'client_credentials', client_id: 'sandbox', client_secret: 'sandbox-secret' };
    const ask = (body: Record<string, string>) =>
      mock.fetch('/oauth2/token', { method: 'POST', body: new URLSearchParams(body) });
    expect(await (await ask(form)).json()).toMatchObject({
      expires_in: 600,
      token_type: expect.stringMatching(/bearer/i),
    });
    expect((await ask({ ...form, client_secret: 'wrong' })).status).toBe(401);
    const { client_secret: _, ...without } = form;
    expect((await ask(without)).status).toBe(401);
    expect(await (await mock.fetch('/flying-weather')).json()).toEqual({ mayFly: true, windSpeed: 8.5 });
    expect((await mock.fetch('/v2/lofts')).status).toBe(401);
  });

  test('a sent record is returned, and is gone after its recall', async () => {
    const [sent, found, flight, , gone] = await answers([
      send({ addressee: 'Ann', service: 'OVERSEAS', declaredValue: 70 }),
      { operation: 'readLetter', parameters: { letterNumber: { last: 'letterNumber' } } },
      { operation: 'readFlight', parameters: { letterNumber: { last: 'letterNumber' } } },
      { operation: 'recallLetter', parameters: { letterNumber: { last: 'letterNumber' } } },
      { operation: 'readLetter', parameters: { letterNumber: { last: 'letterNumber' } } },
    ]);
    expect([sent?.status, found?.status, gone?.status]).toEqual([201, 200, 404]);
    expect(found?.body).toEqual(sent?.body);
    expect(found?.body).toMatchObject({ seaRoute: expect.any(String), status: 'IN_FLIGHT' });
    expect(Object.keys(flight?.body ?? {})).toEqual(['letterNumber', 'pigeonRef', 'status', 'homeAt']);
  });

  test('records have parents: a loft lists only its pigeons', async () => {
    const lists = await answers([
      { operation: 'listPigeons' },
      { operation: 'listPigeons', parameters: { loftCode: 'LOFT-002' } },
      { operation: 'enrolPigeon', parameters: { loftCode: 'LOFT-002' }, body: { plumage: 'CHEQUER' } },
      { operation: 'listPigeons', parameters: { loftCode: 'LOFT-002' } },
    ]);
    expect(lists.map(({ body }) => (Array.isArray(body) ? body.length : 'one'))).toEqual([2, 0, 'one', 1]);
  });

  test('a letter has a sea route only if it goes overseas', async () => {
    const [inland, overseas] = await answers([read('readLetter'), read('readLetter', 'letter-2')]);
    expect(inland?.body).not.toHaveProperty('seaRoute');
    expect(overseas?.body).toHaveProperty('seaRoute');
  });

  test('the value has a maximum per currency, and the highest one without a currency', async () => {
    const tried = [
      { declaredValue: 9000, valueCurrency: 'SEK' },
      { declaredValue: 9001, valueCurrency: 'SEK' },
      { declaredValue: 6001, valueCurrency: 'DKK' },
      { declaredValue: 9001, valueCurrency: 'NOK' },
    ];
    expect(await statuses(tried.map(send))).toEqual([201, 422, 422, 201]);
  });

  test('a pigeon without a ring carries no letter until a ring is fitted', async () => {
    const bea = { pigeonRef: 'pigeon-bea' };
    const tried = [send(bea), { operation: 'fitLegRing', parameters: bea }, send(bea)];
    expect(await statuses(tried)).toEqual([409, 200, 201]);
  });

  test('each post office has its own letters', async () => {
    const riga = { 'X-Post-Office': 'riga' };
    const own = { letterNumber: { last: 'letterNumber' } };
    const tried = [send({}), { operation: 'readLetter', parameters: { ...own, ...riga } }];
    expect(await statuses(tried)).toEqual([201, 404]);
  });

  test('a profile withdraws the deprecated form, and the document shows it', async () => {
    const steps = [read('readFlightOfOld'), { operation: 'listLofts' }];
    expect(await statuses(steps)).toEqual([200, 200]);
    expect(await statuses(steps, '--profile', 'mainland')).toEqual([410, 200]);
  });

  test('a name-only operation is answered at its assumed path, with provenance "assumed"', async () => {
    const [retired] = await answers([{ operation: 'retirePigeon' }]);
    expect(retired).toMatchObject({ status: 200, provenance: 'assumed', body: { status: 'RETIRED' } });
  });
});
