import type { Place } from '../../errors.ts';
import { isObject } from '../../schema/json.ts';
import { joinPointer } from '../../text/pointer.ts';
import { compare, count } from '../../text/words.ts';
import type { Contract, Notice } from '../contract.ts';
import { expandedSize } from '../expanded-size.ts';
import { checkExamples } from './examples.ts';
import { ENGINE_RULES } from './rules.ts';
import { runSpectral } from './spectral.ts';

export interface LintProblem {
  readonly rule: string;
  /** `info` is a remark, not a fault of the contract. */
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  /** JSON pointer into the bundle; null for a problem in an overlay that left no trace in the bundle. */
  readonly pointer: string | null;
  readonly place: Place;
}

/** Rules that compare documented facts with the reference. They do not apply to `observed` or `assumed` overlays. */
const DOCUMENTED_ONLY: ReadonlySet<string> = new Set([
  'name-only-without-method',
  'reference-present',
  'documented-statuses',
  'not-shown-bodies',
]);

/** Keywords that a rule requires only if `contract.yaml` does. An invalid value is always reported. */
const DEMANDED: Readonly<Record<string, string>> = {
  'reference-present': 'x-reference',
  'not-shown-bodies': 'x-not-shown',
};

/** Loader notices that count as problems. A rule covers unknown operations, and a changed fact is only a notice. */
const NOTICES: Readonly<Partial<Record<Notice['code'], LintProblem['severity']>>> = {
  'overlay-target-unmatched': 'error',
  'overlay-action-odd': 'warning',
  'keyword-unknown': 'error',
  'keyword-invalid': 'error',
  'keyword-not-judged': 'info',
  'reference-not-judged': 'error',
  'pattern-not-judged': 'info',
  'format-not-judged': 'info',
  'older-keyword': 'info',
};

/** Most values for Spectral, which takes seconds to walk a large document with resolved references. */
const LARGEST = 300_000;

/**
 * Lints a bundled contract with the engine's rules and the Spectral ruleset of its folder. It also compiles the
 * schemas, checks the examples, and adds the loader's notices. Resolves to the problems in the order of their places.
 *
 * @throws ToolError `engine-missing` if Spectral is not installed
 */
export async function lintContract(contract: Contract): Promise<LintProblem[]> {
  const { isDocument } = contract.folder;
  const problems: LintProblem[] = [];
  const add = (rule: string, message: string, pointer: string, severity: LintProblem['severity'] = 'error'): void => {
    problems.push({ rule, severity, message, pointer, place: contract.placeOf(pointer) });
  };
  for (const [rule, check] of Object.entries(ENGINE_RULES)) {
    for (const { path, message, severity } of check(contract)) add(rule, message, joinPointer('', ...path), severity);
  }
  const size = expandedSize(contract.document, (reference) => contract.at(reference.replace(/^#/, '')));
  if (size > LARGEST) {
    const message = `With its references written out, the document has more than ${LARGEST} values: Spectral cannot check it.`;
    add('references-multiply', message, '', isDocument ? 'info' : 'error');
  }
  for (const { code, message, path, severity } of size > LARGEST ? [] : await runSpectral(contract)) {
    const pointer = joinPointer('', ...path);
    const isExempt = DOCUMENTED_ONLY.has(String(code)) && contract.provenanceOf(pointer) !== 'documented';
    const word = DEMANDED[String(code)] ?? '';
    const node = contract.at(pointer);
    const isOptional =
      word !== '' && !contract.folder.requires.includes(word) && isObject(node) && node[word] === undefined;
    // a warning of Spectral is about style
    const isStyle = isDocument && severity > 0;
    if (!isExempt && !isOptional && !isStyle) add(String(code), message, pointer, severity === 0 ? 'error' : 'warning');
  }
  for (const { rule, message, pointer } of checkExamples(contract))
    add(rule, message, pointer, rule === 'schema-odd' ? 'warning' : 'error');
  for (const { code, message, hint, place } of contract.notices) {
    const severity = NOTICES[code];
    if (severity === undefined) continue;
    const text = hint === undefined ? message : `${message} ${hint}`;
    problems.push({ rule: code, severity, message: text, pointer: null, place });
  }
  return problems.sort(byPlace);
}

export function onceEach(problems: readonly LintProblem[]): LintProblem[] {
  const causes = Map.groupBy(problems, ({ rule, severity, message }) => JSON.stringify([rule, severity, message]));
  return [...causes.values()].map(([first, ...others]): LintProblem => {
    const { message } = first as LintProblem;
    const more = others.length === 0 ? '' : ` (and at ${count(others.length, 'other place')}).`;
    return { ...(first as LintProblem), message: more === '' ? message : message.replace(/\.?\s*$/, more) };
  });
}

export function byPlace(left: LintProblem, right: LintProblem): number {
  return (
    compare(left.place.file, right.place.file) ||
    (left.place.line ?? 0) - (right.place.line ?? 0) ||
    (left.place.column ?? 0) - (right.place.column ?? 0) ||
    compare(left.rule, right.rule) ||
    compare(left.message, right.message)
  );
}
