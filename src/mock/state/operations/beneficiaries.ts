import { member } from '../../behaviour/behaviour.ts';
import { problem } from '../../problem.ts';
import { BENEFICIARY_ROUTING, type BeneficiaryRecord } from '../kinds.ts';
import { freshId, isRefusal, named, notFound, randomFor, type StateOperations, text, texts } from '../operation.ts';
import type { Random } from '../random.ts';

function visibleIn(body: unknown): boolean | undefined {
  const visible = member(body, 'visible');
  return typeof visible === 'boolean' ? visible : undefined;
}

/** For who sends none, so that all the documented fields are seen. */
function madeUp(random: Random): Record<(typeof BENEFICIARY_ROUTING)[number], string> {
  return {
    aba: `021${random.digits(6)}`,
    clabe: `032${random.digits(15)}`,
    ifsc: `HDFC0${random.digits(6)}`,
    cnaps: `102${random.digits(9)}`,
  };
}

export const BENEFICIARY_OPERATIONS: StateOperations = {
  getBeneficiaries: {
    needs: ['clientId'],
    // the parameter is documented by name only; that it picks out those of the value, and that all come without it, is assumed
    run(draft, { parameters: { clientId = '' }, query }) {
      if (!draft.get('client', clientId)) return notFound('client', 'clientId');
      const all = draft.list('beneficiary', clientId);
      const wanted = query === '' ? null : new URLSearchParams(query).get('visible');
      if (wanted === null) return { kind: 'beneficiary', all };
      if (wanted !== 'true' && wanted !== 'false') {
        const errors = [{ in: 'query', name: 'visible', message: 'must be true or false' }];
        return problem(422, 'invalid-query', 'visible is true or false', { members: { errors } });
      }
      return { kind: 'beneficiary', all: all.filter(({ visible }) => String(visible) === wanted) };
    },
  },
  createNewBeneficiary: {
    needs: ['clientId'],
    run(draft, asked, scene) {
      const { body, parameters } = asked;
      const { clientId = '' } = parameters;
      if (!draft.get('client', clientId)) return notFound('client', 'clientId');
      const random = randomFor(draft, 'beneficiary', asked, scene);
      const beneficiaryId = freshId(draft, 'beneficiary', 'ben', random);
      const routing = texts(body, BENEFICIARY_ROUTING);
      const beneficiary: BeneficiaryRecord = {
        beneficiaryId,
        clientId,
        name: text(body, 'name') ?? 'New beneficiary',
        currency: text(body, 'currency') ?? 'GBP',
        country: text(body, 'country') ?? 'GB',
        ...(Object.keys(routing).length > 0 ? routing : madeUp(random)),
        visible: visibleIn(body) ?? true,
      };
      return { kind: 'beneficiary', one: draft.put('beneficiary', beneficiaryId, beneficiary) };
    },
  },
  getBeneficiary: {
    needs: ['beneficiaryId'],
    run(draft, asked) {
      const beneficiary = named(draft, 'beneficiary', asked);
      return isRefusal(beneficiary) ? beneficiary : { kind: 'beneficiary', one: beneficiary };
    },
  },
  updateBeneficiary: {
    needs: ['beneficiaryId'],
    run(draft, asked) {
      const before = named(draft, 'beneficiary', asked);
      if (isRefusal(before)) return before;
      const { visible, ...rest } = before;
      const sent = texts(asked.body, ['name', 'currency', 'country', ...BENEFICIARY_ROUTING]);
      const after: BeneficiaryRecord = { ...rest, ...sent, visible: visibleIn(asked.body) ?? visible };
      return { kind: 'beneficiary', one: draft.put('beneficiary', before.beneficiaryId, after) };
    },
  },
};
