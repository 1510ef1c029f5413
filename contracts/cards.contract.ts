import { check } from './support/check.ts';
import { answers } from './support/operations.ts';
import { operation, suite } from './support/suite.ts';

for (const operationId of [
  'getCard',
  'listClientCards',
  'issueNewCard',
  'updateCard',
  'updateCardAlias',
  'suspendCard',
  'activateCard',
]) {
  answers('cards', operationId);
}

// Only a card that is not physical can show that its answer has no token.
const virtualCard = suite.roles === null ? {} : { parameters: { cardId: suite.roles.virtualCardId } };
check(
  {
    id: 'cards.token-only-physical',
    operationId: 'getCard',
    reference: 'Resources, Card',
    calls: [virtualCard],
    skip:
      suite.roles !== null || suite.card.physical === false
        ? null
        : 'needs card.physical: false in the configuration: only a card that is not physical can show it',
  },
  async (t) => {
    await t.succeed('getCard', virtualCard);
  },
);

// In major units: the unit of the integer fields is an assumption. A currency without a maximum has none.
const { body, requestFields } = operation('issueNewCard');
const namesCurrency = requestFields.includes('currency');

function limitSkip(currency: string): string | null {
  if (suite.embedded) return null;
  const { card } = suite;
  if (card.currency === undefined || card.provider === undefined || card.physical === undefined) {
    return 'needs card (physical, currency, provider) in the configuration: the reference has no field that says so';
  }
  return card.currency === currency ? null : `the configured card is in ${card.currency}`;
}

function request(fields: Readonly<Record<string, number>>, currency: string): unknown {
  return { ...(body as object | undefined), ...(namesCurrency ? { currency } : {}), ...fields };
}

for (const [field, maxima] of Object.entries(suite.cardLimits)) {
  for (const [currency, maximum] of Object.entries(maxima)) {
    check(
      {
        id: `cards.limit.${field}.${currency}`,
        operationId: 'issueNewCard',
        reference: 'Limits',
        calls: [{ purpose: 'refuse-limit' }],
        skip: limitSkip(currency),
      },
      async (t) => {
        await t.ask('issueNewCard', { purpose: 'refuse-limit', json: request({ [field]: maximum + 1 }, currency) });
      },
    );
  }
}

for (const currency of new Set(Object.values(suite.cardLimits).flatMap((maxima) => Object.keys(maxima)))) {
  const highest = Object.entries(suite.cardLimits).map(([field, maxima]) => [field, maxima[currency] ?? 0] as const);
  check(
    {
      id: `cards.limit-at-maximum.${currency}`,
      operationId: 'issueNewCard',
      reference: 'Limits',
      skip: limitSkip(currency),
    },
    async (t) => {
      await t.succeed('issueNewCard', { json: request(Object.fromEntries(highest), currency) });
    },
  );
}

const user = suite.roles?.userNeedingQuestions;
const ofUser = user === undefined ? {} : { parameters: { userId: user } };
check(
  {
    id: 'cards.security-questions-first',
    operationId: 'issueNewCard',
    reference: 'Behavioural rules 1',
    calls: [
      { purpose: 'refuse-precondition' },
      { operationId: 'createSecurityQuestions', ...ofUser },
      { operationId: 'issueNewCard' },
    ],
    skip:
      user === undefined
        ? 'needs a user of that card provider who has answered no questions; how a request names its user is not shown'
        : null,
  },
  async (t) => {
    const json = { ...(body as object | undefined), userId: user };
    await t.ask('issueNewCard', { purpose: 'refuse-precondition', json });
    await t.succeed('createSecurityQuestions', ofUser);
    await t.succeed('issueNewCard', { json });
  },
);
