import { ToolError } from '../errors.ts';
import { readChecked } from '../files/checked-file.ts';
import type { Seed, SeedClient } from './seed.ts';

/**
 * Reads a seed (`schemas/seed.schema.json`) from YAML or JSON.
 * @throws ToolError `config` with file, line and column; `file-missing`, `file-unreadable`.
 */
export async function readSeed(file: string): Promise<Seed> {
  const { value, placeOf } = await readChecked<Seed>(file, 'seed');
  const fault = faultOf(value);
  if (fault) throw new ToolError('config', fault.message, { place: await placeOf(fault.pointer) });
  return value;
}

interface Fault {
  readonly pointer: string;
  readonly message: string;
}

const KINDS = [
  ['users', 'userId'],
  ['accounts', 'accountId'],
  ['beneficiaries', 'beneficiaryId'],
  ['cards', 'cardId'],
  ['transactions', 'transactionId'],
] as const;

/** What a schema cannot say: ids are used once, and what is named is there. */
function faultOf({ clients }: Seed): Fault | undefined {
  const seen = new Set<string>();
  const repeated = (kind: string, id: string, pointer: string): Fault | undefined => {
    const key = `${kind} ${id}`;
    if (seen.has(key)) return { pointer, message: `The ${kind} ${JSON.stringify(id)} is there already.` };
    seen.add(key);
    return undefined;
  };
  for (const [index, client] of clients.entries()) {
    const at = `/clients/${index}`;
    const fault =
      repeated('clientId', client.clientId, `${at}/clientId`) ??
      first(KINDS, ([list, name]) =>
        first([...idsOf(client, list, name).entries()], ([place, id]) =>
          repeated(name, id, `${at}/${list}/${place}/${name}`),
        ),
      ) ??
      dangling(client, at);
    if (fault) return fault;
  }
  return undefined;
}

function dangling(client: SeedClient, at: string): Fault | undefined {
  const names = (list: 'cards' | 'transactions', name: string, of: (typeof KINDS)[number]): Fault | undefined => {
    const there = new Set(idsOf(client, of[0], of[1]));
    return first([...(client[list] ?? []).entries()], ([place, one]) => {
      const id = (one as unknown as Readonly<Record<string, unknown>>)[name];
      if (id === undefined || there.has(String(id))) return undefined;
      return {
        pointer: `${at}/${list}/${place}/${name}`,
        message: `This client has no ${name} ${JSON.stringify(id)}.`,
      };
    });
  };
  return (
    names('cards', 'userId', KINDS[0]) ??
    names('transactions', 'accountId', KINDS[1]) ??
    names('transactions', 'beneficiaryId', KINDS[2])
  );
}

function idsOf(client: SeedClient, list: (typeof KINDS)[number][0], name: string): string[] {
  const all: readonly object[] = client[list] ?? [];
  return all.map((one) => String((one as Readonly<Record<string, unknown>>)[name]));
}

function first<T>(all: readonly T[], look: (one: T) => Fault | undefined): Fault | undefined {
  for (const one of all) {
    const found = look(one);
    if (found) return found;
  }
  return undefined;
}
