import type { Answer } from '../../answer.ts';
import { member } from '../../behaviour/behaviour.ts';
import { limitProblem } from '../../behaviour/card-limits.ts';
import { unansweredQuestions } from '../../behaviour/security-questions.ts';
import { problem } from '../../problem.ts';
import { type CardRecord, LIMITS, type UserRecord } from '../kinds.ts';
import {
  type Asked,
  freshId,
  type Given,
  isRefusal,
  named,
  notFound,
  randomFor,
  type Scene,
  type StateOperations,
  text,
  texts,
  unknownReference,
} from '../operation.ts';
import type { Draft } from '../records.ts';

const PROGRAMMES = { PHYSICAL: 'business-debit', VIRTUAL: 'business-virtual' } as const;
const DESIGNS = ['midnight-blue', 'plain-white', 'harbour-grey'] as const;

type Limits = Partial<Record<(typeof LIMITS)[number], number>>;

function limitsOf(body: unknown): Limits {
  const limits: Limits = {};
  for (const name of LIMITS) {
    const value = member(body, name);
    if (typeof value === 'number') limits[name] = value;
  }
  return limits;
}

/** The first limit that is above the maximum of a currency; a currency without a maximum has none. */
function tooHigh(limits: Limits, currency: string, { maxima }: Scene): { name: string; maximum: number } | undefined {
  for (const name of LIMITS) {
    const byCurrency = maxima[name];
    const maximum = byCurrency && Object.hasOwn(byCurrency, currency) ? byCurrency[currency] : undefined;
    if (maximum !== undefined && (limits[name] ?? 0) > maximum) return { name, maximum };
  }
  return undefined;
}

/** Limits are not for every customer (API reference, Limits). */
function unavailable(limits: Limits, { profile }: Scene): Answer | undefined {
  const [name] = Object.keys(limits);
  if (profile.cardLimits || name === undefined) return undefined;
  return problem(422, 'limits-unavailable', `/${name}: the profile ${profile.name} has no card limits`, {
    members: { errors: [{ in: 'body', pointer: `/${name}`, message: 'is not available' }] },
  });
}

/** The client and the user of a card: those that are named, else the user's client, else the first of each. */
function holderOf(draft: Draft, body: unknown): { clientId: string; user: UserRecord | undefined } | Answer {
  const [clientId, userId] = [text(body, 'clientId'), text(body, 'userId')];
  if (clientId !== undefined && !draft.get('client', clientId)) return unknownReference('client', 'clientId');
  if (userId !== undefined) {
    const user = draft.get('user', userId);
    if (!user || (clientId !== undefined && user.clientId !== clientId)) return unknownReference('user', 'userId');
    return { clientId: user.clientId, user };
  }
  const client = clientId ?? draft.first('client', ({ status }) => status !== 'REJECTED')?.clientId;
  if (client === undefined) return unknownReference('client', 'clientId');
  return { clientId: client, user: draft.first('user', (user) => user.clientId === client) };
}

/** The currency of a card for which none was asked: one whose maxima admit its limits. */
function currencyFor(limits: Limits, scene: Scene): string {
  const known = [...new Set(Object.values(scene.maxima).flatMap((byCurrency) => Object.keys(byCurrency)))];
  return known.find((currency) => tooHigh(limits, currency, scene) === undefined) ?? known[0] ?? 'GBP';
}

function issueNewCard(draft: Draft, asked: Asked, scene: Scene): Given {
  const { body } = asked;
  const limits = limitsOf(body);
  const refused = unavailable(limits, scene);
  if (refused) return refused;
  const holder = holderOf(draft, body);
  if ('status' in holder) return holder;
  const { clientId, user } = holder;
  if (user && scene.needsQuestions(user) && !user.credentials?.SECURITY_QUESTIONS) return unansweredQuestions();
  const random = randomFor(draft, 'card', asked, scene);
  const cardId = freshId(draft, 'card', 'card', random);
  const cardType = text(body, 'cardType') === 'VIRTUAL' ? 'VIRTUAL' : 'PHYSICAL';
  const card: CardRecord = {
    cardId,
    providerCardId: `prv-${random.hex(8)}`,
    clientId,
    userId: user?.userId,
    cardType,
    cardProgramme: text(body, 'cardProgramme') ?? PROGRAMMES[cardType],
    cardDesign: text(body, 'cardDesign') ?? random.oneOf(DESIGNS),
    currency: text(body, 'currency') ?? currencyFor(limits, scene),
    alias: text(body, 'alias') ?? (cardType === 'VIRTUAL' ? 'New virtual card' : 'New card'),
    maskedNumber: `5355 22** **** ${random.digits(4)}`,
    expires: monthIn(asked.now, 36 + random.number(12)),
    status: 'ACTIVE',
    ...limits,
    ...(cardType === 'PHYSICAL' ? { token: `ctk-${random.hex(16)}` } : {}),
  };
  return { kind: 'card', one: draft.put('card', cardId, card) };
}

/** `2029-08`: so many months on. */
function monthIn(now: number, months: number): string {
  const date = new Date(now);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
}

function changeCard(change: (card: CardRecord, asked: Asked, scene: Scene) => Partial<CardRecord> | Answer) {
  return (draft: Draft, asked: Asked, scene: Scene): Given => {
    const card = named(draft, 'card', asked);
    if (isRefusal(card)) return card;
    const changed = change(card, asked, scene);
    if (isRefusal(changed)) return changed;
    return { kind: 'card', one: draft.put('card', card.cardId, { ...card, ...changed }) };
  };
}

function updateCardLimits(card: CardRecord, { body }: Asked, scene: Scene): Limits | Answer {
  const limits = limitsOf(body);
  const high = tooHigh(limits, card.currency, scene);
  const refused = unavailable(limits, scene);
  if (refused) return refused;
  return high ? limitProblem([high], card.currency) : limits;
}

export const CARD_OPERATIONS: StateOperations = {
  issueNewCard: { needs: [], run: issueNewCard },
  getCard: {
    needs: ['cardId'],
    run(draft, asked) {
      const card = named(draft, 'card', asked);
      return isRefusal(card) ? card : { kind: 'card', one: card };
    },
  },
  listClientCards: {
    needs: ['clientId'],
    run(draft, { parameters: { clientId = '' } }) {
      if (!draft.get('client', clientId)) return notFound('client', 'clientId');
      return { kind: 'card', all: draft.list('card', clientId) };
    },
  },
  updateCard: {
    needs: ['cardId'],
    run: changeCard((_, { body }) => texts(body, ['alias', 'cardDesign', 'cardProgramme'])),
  },
  updateCardAlias: { needs: ['cardId'], run: changeCard((_, { body }) => texts(body, ['alias'])) },
  updateCardLimits: { needs: ['cardId'], run: changeCard(updateCardLimits) },
  suspendCard: { needs: ['cardId'], run: changeCard(() => ({ status: 'SUSPENDED' })) },
  activateCard: { needs: ['cardId'], run: changeCard(() => ({ status: 'ACTIVE' })) },
  deleteCard: {
    needs: ['cardId'],
    run(draft, asked) {
      const card = named(draft, 'card', asked);
      if (isRefusal(card)) return card;
      draft.remove('card', card.cardId);
      return { kind: 'card', one: { ...card, status: 'CANCELLED' } };
    },
  },
};
