import { isAbsolute, relative, sep } from 'node:path';
import type { Finding } from '../model/finding.ts';
import { plain } from '../plain.ts';

/** Where a finding is shown by a system that wants a file and a line for everything. */
export interface ShownAt {
  /** In one harmless line, with forward slashes; relative to `root` where it lies below it. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The root of the contract: where a finding points that contradicts no line of its own. */
const CONTRACT = 'spec/openapi.yaml';

/** The contradicted line. `root` is the folder that paths are relative to: the checkout. */
export function shownAt({ location }: Pick<Finding, 'location'>, root: string | undefined): ShownAt {
  if (location === null) return { file: CONTRACT, line: 1, column: 1 };
  const { line, column } = location;
  return { file: plain(below(location.file, root).split(sep).join('/')), line, column };
}

function below(file: string, root: string | undefined): string {
  if (root === undefined || !isAbsolute(file)) return file;
  const path = relative(root, file);
  return path.startsWith('..') || isAbsolute(path) ? file : path;
}
