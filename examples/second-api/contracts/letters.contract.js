// The rule that no schema can say (x-rules, ring-before-flight). Everything else is checked without a line of code.
import { check, roles } from 'banking-api-contract/contract';

const { pigeonWithoutRing: pigeonRef = null } = roles;
check({
  id: 'letters.ring-before-flight',
  operationId: 'sendLetter',
  calls: [
    { purpose: 'refuse-precondition', json: { pigeonRef } },
    { operationId: 'fitLegRing', ...(pigeonRef === null ? {} : { parameters: { pigeonRef } }) },
    { json: { pigeonRef } },
  ],
  skip: pigeonRef === null ? 'needs a pigeon that has no ring; nothing tells one of a sandbox' : null,
});
