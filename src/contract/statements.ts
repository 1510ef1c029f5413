import { dirname, join } from 'node:path';
import { realPathBelow } from '../files/containment.ts';
import { unlessMissing } from '../files/read.ts';
import type { ContractFolder } from './folder.ts';
import { readSource } from './source.ts';

/** A statement of the reference with the ids of the checks that cover it. `*` matches any one part of an id. */
export interface Statement {
  readonly id: string;
  /** The subject in a few words, for a report. Several statements may share it. */
  readonly about?: string;
  readonly checks: readonly string[];
}

const CHECK = 'check:';

/** Statements in `ledger.yaml` beside the spec; empty without that file. @throws ToolError `spec-invalid` */
export async function readStatements(folder: ContractFolder): Promise<Statement[]> {
  if (folder.isDocument) return [];
  const file = join(dirname(folder.spec), 'ledger.yaml');
  const reading = realPathBelow(folder.root, file).then(() => readSource(file, 'spec-invalid', folder));
  const source = await unlessMissing(reading, undefined);
  const { rows = [] } = (source?.tree.root ?? {}) as {
    readonly rows?: readonly (Pick<Statement, 'id' | 'about'> & { readonly home: readonly string[] })[];
  };
  return rows.flatMap(({ id, about, home }) => {
    const checks = home.filter((one) => one.startsWith(CHECK)).map((one) => one.slice(CHECK.length));
    return checks.length === 0 ? [] : [{ id, ...(about && { about }), checks }];
  });
}
