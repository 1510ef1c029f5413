import type { ClientRecord } from '../kinds.ts';
import { type Asked, dateTime, type Given, isRefusal, named, randomFor, type StateOperations } from '../operation.ts';
import type { Draft } from '../records.ts';

/** What belongs to a client and goes with it. */
const BELONGINGS = ['user', 'card', 'account', 'beneficiary', 'transaction'] as const;

function idsOf(draft: Draft, kind: (typeof BELONGINGS)[number], clientId: string): string[] {
  const name = `${kind}Id`;
  return draft.list(kind, clientId).map((its) => String((its as unknown as Readonly<Record<string, unknown>>)[name]));
}

/** A rejected client stays rejected: that no transition leads out of it is assumed, as all of the states are. */
function become(status: ClientRecord['status'], answer: (client: ClientRecord) => Given) {
  return (draft: Draft, asked: Asked): Given => {
    const client = named(draft, 'client', asked);
    if (isRefusal(client)) return client;
    if (client.status === 'REJECTED' || client.status === status) return answer(client);
    return answer(draft.put('client', client.clientId, { ...client, status }));
  };
}

const shown = (client: ClientRecord): Given => ({ kind: 'client', one: client });
const rejected = ({ clientId, status }: ClientRecord): Given => ({ value: { clientId, status } });

export const CLIENT_OPERATIONS: StateOperations = {
  getClients: { needs: [], run: (draft) => ({ kind: 'client', all: draft.list('client') }) },
  getClient: {
    needs: ['clientId'],
    run(draft, asked) {
      const client = named(draft, 'client', asked);
      return isRefusal(client) ? client : shown(client);
    },
  },
  freezeCompany: { needs: ['clientId'], run: become('FROZEN', shown) },
  unfreezeCompany: { needs: ['clientId'], run: become('ACTIVE', shown) },
  rejectClient: { needs: ['clientId'], run: become('REJECTED', rejected) },
  deleteClient: {
    needs: ['clientId'],
    run(draft, asked) {
      const client = named(draft, 'client', asked);
      if (isRefusal(client)) return client;
      const { clientId } = client;
      for (const kind of BELONGINGS) {
        for (const id of idsOf(draft, kind, clientId)) draft.remove(kind, id);
      }
      draft.remove('client', clientId);
      return { value: { clientId, status: 'DELETED' } };
    },
  },
  generateCustomerKey: {
    needs: [],
    run(draft, asked, scene) {
      const customerKey = `key-${randomFor(draft, 'key', asked, scene).hex(12)}`;
      return { value: draft.put('key', 'latest', { customerKey, createdAt: dateTime(asked.now) }) };
    },
  },
  getAvailablePartnerProducts: { needs: [], run: (_, __, { seed }) => ({ value: seed.partnerProducts ?? [] }) },
};
