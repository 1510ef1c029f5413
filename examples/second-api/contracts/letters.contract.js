// A schema cannot express this rule (x-rules, ring-before-flight). All other checks need no code.
import { check, operation, parameters, roles } from 'banking-api-contract/contract';
import { spec } from 'pactum';
import { describe } from 'vitest';

const { pigeonWithoutRing: pigeonRef } = roles;
const sendLetter = () =>
  spec()
    .post('/v2/letters')
    .withJson({ ...operation('sendLetter').body, pigeonRef });

describe('A pigeon carries letters only once it has a leg ring (Letters)', () => {
  const about = {
    operationId: 'sendLetter',
    skip: pigeonRef ? null : 'needs a pigeon that has no ring; nothing tells one of a sandbox',
  };

  check('letters.ring-before-flight', about, async () => {
    await sendLetter().expect('refused', 'precondition');
    await spec()
      .put('/v2/pigeons/{pigeonRef}/leg-ring')
      .withPathParams({ ...parameters, pigeonRef })
      .expect('success');
    await sendLetter().expect('success');
  });
});
