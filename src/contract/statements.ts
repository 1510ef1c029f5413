import { dirname, join } from 'node:path';
import { realPathBelow } from '../files/containment.ts';
import { PART, unlessMissing } from '../files/read.ts';
import { readPlaced } from './checked-file.ts';
import type { ContractFolder } from './folder.ts';

/** A statement of the reference with the ids of the checks that cover it. `*` matches any one part of an id. */
export interface Statement {
  readonly id: string;
  /** The subject in a few words, for a report. Several statements may share it. */
  readonly about?: string;
  readonly checks: readonly string[];
}

const CHECK = 'check:';

/** Statements in `ledger.yaml` beside the spec; empty without that file. @throws ToolError `spec-invalid` */
export async function readStatements({ spec, root }: Pick<ContractFolder, 'spec' | 'root'>): Promise<Statement[]> {
  const file = join(dirname(spec), 'ledger.yaml');
  const reading = realPathBelow(root, file).then(() => readPlaced(file, PART));
  const { value } = await unlessMissing(reading, { value: {} });
  const { rows = [] } = value as {
    readonly rows?: readonly (Pick<Statement, 'id' | 'about'> & { readonly home: readonly string[] })[];
  };
  return rows.flatMap(({ id, about, home }) => {
    const checks = home.filter((one) => one.startsWith(CHECK)).map((one) => one.slice(CHECK.length));
    return checks.length === 0 ? [] : [{ id, ...(about && { about }), checks }];
  });
}
