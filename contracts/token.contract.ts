import { expectThat } from './support/broken.ts';
import { check } from './support/check.ts';
import { anyRead } from './support/operations.ts';

const GRANT = { grant_type: 'client_credentials' };

check(
  {
    id: 'token.response',
    operationId: 'getToken',
    reference: 'Authentication 2 and 3',
    calls: [{ auth: 'client' }],
  },
  async (t) => {
    // Type, form and lifetime of all five fields are for the judge: pactum asserts the documented schema, the rules the rest.
    const { json } = await t.succeed('getToken', { auth: 'client', form: GRANT });
    expectThat(typeof json === 'object' && json !== null, 'a JSON object', 'something else');
  },
);

const read = anyRead().operationId;

function isGood(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

check(
  {
    id: 'token.serves-many-calls',
    operationId: read,
    reference: 'Authentication 6',
    calls: [{ times: 3 }],
  },
  async (t) => {
    for (let count = 0; count < 3; count += 1) await t.succeed(read);
    const attempts = await t.attempts();
    const worn = attempts.filter(
      ({ status, tokenId }, index) =>
        status === 401 &&
        attempts.slice(0, index).some((earlier) => earlier.tokenId === tokenId && isGood(earlier.status)),
    );
    // How long a token is kept is our client's affair, and one may run out between two calls; each cannot.
    expectThat(worn.length < 2, 'one token for several calls', 'every token refused after its first call');
  },
);

check(
  {
    id: 'token.wrong-password',
    operationId: 'getToken',
    kind: 'probe',
    reference: 'Authentication 2',
    calls: [{ auth: 'wrong-client', purpose: 'refuse-credentials' }],
  },
  async (t) => {
    await t.ask('getToken', { auth: 'wrong-client', purpose: 'refuse-credentials', form: GRANT });
  },
);

check(
  {
    id: 'token.wrong-grant',
    operationId: 'getToken',
    kind: 'probe',
    reference: 'Authentication 1',
    calls: [{ auth: 'client', purpose: 'refuse-grant' }],
  },
  async (t) => {
    await t.ask('getToken', { auth: 'client', purpose: 'refuse-grant', form: { grant_type: 'banking_api_probe' } });
  },
);
