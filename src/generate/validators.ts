import type { Contract } from '../contract/contract.ts';
import { joinPointer } from '../contract/pointer.ts';
import { ToolError } from '../errors.ts';
import { emitAll, emitByName, emitValidator } from './emit.ts';
import { componentSchemas, type NamedSchema, publishable } from './schemas.ts';
import { emitTypes } from './types.ts';

/** Texts by the names of their files. */
export type Files = Readonly<Record<string, string>>;

/** The validators of a contract with their types as modules of TypeScript, the same for the same contract. */
export async function generateValidators(contract: Contract): Promise<Files> {
  const all = schemasOf(contract);
  const files: Record<string, string> = {};
  for (const named of all) {
    files[`${named.file}.ts`] = await emitValidator(named, all).catch((cause: unknown) => {
      throw notCompiled(contract, named.key, cause);
    });
  }
  files['types.ts'] = await emitTypes(contract, all);
  files['all.ts'] = emitAll(all);
  files['by-name.ts'] = emitByName(all);
  return files;
}

/** Each schema as a JSON Schema of its own, in a file of its name. */
export function jsonSchemas(contract: Contract): Files {
  const all = schemasOf(contract);
  return Object.fromEntries(
    all.map((named) => [`${named.file}.json`, `${JSON.stringify(publishable(named, all), null, 2)}\n`]),
  );
}

/** The component schemas of a contract. */
export function schemasOf({ document, folder }: Contract): readonly NamedSchema[] {
  return folder.isOwn ? componentSchemas(document) : componentSchemas(document, folder.name);
}

function notCompiled(contract: Contract, key: string, cause: unknown): unknown {
  if (cause instanceof ToolError || !(cause instanceof Error)) return cause;
  return new ToolError('spec-invalid', `The schema ${key} cannot be compiled: ${cause.message.replace(/\.?$/, '.')}`, {
    place: contract.placeOf(joinPointer('/components/schemas', key)),
    cause,
  });
}
