import { attempts, check, parameters, schema } from 'banking-api-contract/contract';
import { spec } from 'pactum';
import { describe, expect } from 'vitest';

describe('The token endpoint (API reference, Authentication 1 to 3)', () => {
  // The way out adds the credentials; this file never has them.
  check('token.response', async () => {
    await spec()
      .post('/iam/oauth/token')
      .withForm({ grant_type: 'client_credentials' })
      .expect('success')
      .expectJsonSchema(schema('Token'));
  });

  check('token.wrong-password', async () => {
    await spec()
      .post('/iam/oauth/token')
      .withAuth('nobody', 'a wrong password')
      .withForm({ grant_type: 'client_credentials' })
      .expect('refused');
  });

  check('token.wrong-grant', async () => {
    await spec().post('/iam/oauth/token').withForm({ grant_type: 'banking_api_probe' }).expect('refused');
  });
});

describe('One token serves many calls (API reference, Authentication 6)', () => {
  check('token.serves-many-calls', async () => {
    for (let call = 0; call < 3; call += 1) {
      await spec()
        .get('/billing/api/customers/{customerId}/client/{clientId}/card/fees/{currency}')
        .withPathParams(parameters)
        .expect('success');
    }

    const sent = await attempts();
    const worn = sent.filter(
      ({ status, tokenId }, index) =>
        status === 401 && sent.slice(0, index).some((earlier) => earlier.tokenId === tokenId && earlier.status === 200),
    );
    // A token may expire between two calls, but not after each call.
    expect(worn.length).toBeLessThan(2);
  });
});
