import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { record } from '../../src/run/record.ts';
import { verify } from '../../src/run/verify.ts';
import { fakeIo } from '../cli/io.ts';
import { LOWERING, movedTo, SEARCH } from '../contract/lowering.ts';
import { CREDENTIALS, PARAMETERS, startSandbox } from '../run/sandbox.ts';
import { overlayOf } from '../support/overlay.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SEARCHED = 'POST /wallet/api/customers/c-1/cards/search';
const BODIES = { [SEARCHED]: { hits: 1 } };

test.each(Object.entries(LOWERING))(
  'D13: no overlay lowers an effect at the socket: verify and record send only documented reads if %s',
  async (_what, overlay) => {
    await using sandbox = await startSandbox({ bodies: BODIES });
    const options = { target: sandbox.url, credentials: CREDENTIALS, parameters: PARAMETERS, overlays: [overlay] };
    await verify(options);
    await record({ ...options, samples: 1 });
    const sent = new Set(sandbox.seen.map(({ method, path }) => `${method} ${path}`));
    const reads = ['POST /iam/oauth/token', 'POST /billing/api/customers/c-1/clients/cl-2/transactions/fees'];
    expect([...sent].filter((line) => !line.startsWith('GET ')).sort()).toEqual(reads.sort());
    expect(sent.size).toBeGreaterThan(5);
  },
);

test('D13: no POST leaves if an overlay gives it the name of a read, or a second method to a read', async () => {
  await using sandbox = await startSandbox({ bodies: BODIES });
  const CARD = '/wallet/api/customers/{customerId}/cards/{cardId}';
  const second = { name: '_method', in: 'query', required: true, example: 'DELETE', schema: { type: 'string' } };
  const overlays = [
    movedTo('/wallet/api/customers/{customerId}/transactions', 'getCardFees'),
    overlayOf([{ target: `$.paths['${CARD}'].get`, update: { parameters: [second] } }]),
  ];
  const parameters = { ...PARAMETERS, _method: 'DELETE' };
  const { checks } = await verify({ target: sandbox.url, credentials: CREDENTIALS, parameters, overlays });
  const sent = sandbox.seen.map(({ method, path }) => `${method} ${path}`);
  expect(sent.filter((line) => line.includes('_method') || line.endsWith('/transactions'))).toEqual([]);
  const reasons = checks.filter(({ operationId }) => operationId === 'getCard').map(({ reason }) => reason);
  expect(reasons).toContain('the request names a second method (_method) that this run may not send');
});

describe('D13: a config that declares a POST as a read', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await writeFile(join(folder, 'search.yaml'), SEARCH.text);
  });

  async function verified(url: string, settings: object) {
    const config = { overlays: ['search.yaml'], parameters: PARAMETERS, ...settings };
    await writeFile(join(folder, 'banking-api.config.yaml'), JSON.stringify(config));
    const env = { BANKING_API_USERNAME: CREDENTIALS.username, BANKING_API_PASSWORD: CREDENTIALS.password };
    const io = fakeIo({ cwd: folder, env });
    const code = await run(['verify', '--target', url, '--report', 'json'], io);
    return { code, report: io.out() === '' ? null : JSON.parse(io.out()), err: io.err() };
  }

  test('the POST is sent if writesAllowedOn names the host, and the first line and the report show it', async () => {
    await using sandbox = await startSandbox({ bodies: BODIES });
    const searched = () => sandbox.seen.filter(({ path }) => path.endsWith('/search')).length;
    const effects = { searchCards: 'read' };
    await verified(sandbox.url, { writesAllowedOn: ['127.0.0.1'] });
    await verified(sandbox.url, { effects });
    expect(searched()).toBe(0);
    const { report, err } = await verified(sandbox.url, { effects, writesAllowedOn: ['127.0.0.1'] });
    expect(searched()).toBeGreaterThan(0);
    expect(err.split('\n', 1)[0]).toContain('declared a read by the configuration: searchCards');
    expect(report.notices).toEqual([
      expect.objectContaining({ message: 'The configuration declares searchCards (POST) a read.' }),
    ]);
  });

  test.each([
    ['deleteCard', 'effects: deleteCard is a DELETE; only a POST can be declared a read.'],
    ['rejectClient', 'effects: rejectClient is a PUT; only a POST can be declared a read.'],
    ['searchCard', 'effects: The contract has no operation searchCard. Did you mean searchCards?'],
  ])('the effect of %s cannot be lowered: the command exits with 2 and sends nothing', async (operationId, message) => {
    await using sandbox = await startSandbox();
    const { code, err } = await verified(sandbox.url, { effects: { [operationId]: 'read' } });
    expect([code, sandbox.seen]).toEqual([2, []]);
    expect(err).toContain(message);
  });
});
