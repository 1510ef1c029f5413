import type { Contract } from '../contract/contract.ts';
import { sectionOf } from '../contract/section.ts';
import { type Finding, fingerprint } from '../model/finding.ts';
import { excerpt, type Redact } from '../redact/excerpt.ts';
import { compare } from '../text/words.ts';
import type { Cause, Extent } from './causes/cause.ts';
import { addTimes, mergeCauses, operationsIn } from './causes/merge-causes.ts';
import { OF_A_PLACE } from './causes/objects.ts';
import { compatibilityOf } from './compatibility.ts';
import { MOST_TOLD, type Observation, type Observed, type Run, severityOf } from './rule.ts';
import { ALL_RULES, ruleName } from './rules.ts';
import { createShape, merge } from './shape.ts';
import { listed, textOfShape, typesOfShape } from './shape-text.ts';

export class Causes {
  readonly partly: Set<number> = new Set();
  private readonly causes = new Map<string, Cause>();
  private readonly reported = new Map<string, number>();

  /** @param most limit of observations per rule and operation */
  add({ rule, observation }: Observed, most: number = MOST_TOLD): void {
    const { operationId, pointer, exchanges, times = 1, found } = observation;
    const { expected, actual } = observation.identity ?? observation;
    const key = JSON.stringify([rule.id, operationId, pointer, expected, rule.ofPlace === true ? '' : actual]);
    let cause = this.causes.get(key);
    if (cause === undefined) {
      const kind = `${rule.id} ${operationId}`;
      const count = this.reported.get(kind) ?? 0;
      if (count >= most) {
        for (const seq of exchanges) this.partly.add(seq);
        return;
      }
      this.reported.set(kind, count + 1);
      cause = { rule, observation, times: 0, exchanges: new Map(), found: null };
      this.causes.set(key, cause);
    }
    cause.times += times;
    // An observation of several exchanges together counts for the last of them.
    for (const seq of exchanges) addTimes(cause.exchanges, seq, seq === exchanges.at(-1) ? times : 0);
    if (found === undefined) return;
    cause.found ??= createShape();
    merge(cause.found, found);
  }

  unconfirmed(): readonly Cause[] {
    // a cause without `least` may have no exchange at all
    return [...this.causes.values()].filter(({ exchanges, observation }) => exchanges.size < (observation.least ?? 0));
  }

  loud(): ReadonlySet<number> {
    const loud = [...this.causes.values()].filter(({ rule }) => rule.severity !== 'info');
    return new Set(loud.flatMap(({ exchanges }) => [...exchanges.keys()]));
  }

  *findings(run: Run, redact: Redact): Generator<{ finding: Finding; times: Cause['exchanges'] }> {
    const doubtful = new Set(run.occasion === 'live' ? this.unconfirmed() : []);
    const causes = [...this.causes.values()].filter((cause) => !doubtful.has(cause) && !isOfLostRecording(cause, run));
    for (const cause of mergeCauses(withoutOtherBodies(causes, run), run))
      yield { finding: findingOf(cause, run, redact), times: cause.exchanges };
  }
}

/** True if a place seems new, or unlike its successor, because its recording is lost. A notice reports the loss. */
function isOfLostRecording({ rule, observation: { operationId } }: Cause, { contract }: Run): boolean {
  if (rule.id !== 'undocumented-field' && rule.id !== 'deprecated-shape-differs') return false;
  const lost = contract.notices.flatMap(({ unwatched = [] }) => unwatched);
  return [operationId, contract.operation(operationId ?? '')?.successor].some((id) => id != null && lost.includes(id));
}

/** Fewer differences do not make another body. */
const ANOTHER_BODY = 3;

/** A recording does not describe an answer of another status. A wholly different body is part of that change. */
function withoutOtherBodies(causes: readonly Cause[], { contract }: Run): Cause[] {
  const about = 'with another body';
  return causes
    .filter(({ rule }) => rule.id === 'status-changed')
    .reduce(
      (left, whole) => {
        const own = left.filter(({ rule, observation, exchanges }) => {
          const { operationId, source, provenance = contract.provenanceOf(source) } = observation;
          if (operationId !== whole.observation.operationId || provenance !== 'observed') return false;
          return OF_A_PLACE.has(rule.id) && exchanges.keys().every((seq) => whole.exchanges.has(seq));
        });
        if (own.length < ANOTHER_BODY && !own.some(({ observation }) => observation.pointer === '')) return left;
        const one = { ...whole, observation: { ...whole.observation, about } };
        return left.flatMap((cause) => (own.includes(cause) ? [] : cause === whole ? one : cause));
      },
      [...causes],
    );
}

function findingOf(cause: Cause, run: Run, redact: Redact): Finding {
  const { rule, observation, found, times, exchanges, spread } = cause;
  const { contract } = run;
  // Baselines know the rule by the contract's own name, so that name is part of the fingerprint.
  const name = ruleName(rule.id, contract.folder);
  const seen = found !== null && rule.ofPlace === true ? { ...observation, actual: typesOfShape(found) } : observation;
  const { operationId, stray, source } = seen;
  const operation = operationId === null ? undefined : contract.operation(operationId);
  const provenance = seen.provenance ?? contract.provenanceOf(source);
  const place = contract.placeOf(source);
  const reported: Observation = {
    ...((spread === undefined ? rule.complete?.(seen, provenance, run) : undefined) ?? seen),
    pointer: excerpt(seen.pointer, LONGEST_TEXT, redact),
    expected: excerpt(seen.wanted ?? seen.expected, LONGEST_TEXT, redact),
    actual: excerpt(found === null ? seen.actual : textOfShape(found), LONGEST_TEXT, redact),
  };
  return {
    fingerprint: fingerprint({ rule: name, ...seen, ...seen.identity }),
    rule: name,
    ...(name === rule.id ? {} : { engineRule: rule.id }),
    severity: severityOf(rule, provenance, operation),
    provenance,
    compatibility: compatibilityOf(rule.id),
    operationId,
    method: operation?.method ?? stray?.method ?? null,
    path: operation?.path ?? (stray === undefined ? null : redact(stray.path)),
    pointer: reported.pointer,
    expected: reported.expected,
    actual: reported.actual,
    message:
      spread === undefined
        ? rule.message(reported, operation)
        : wideMessage(spread, rule.message(reported, operation), reported),
    reference: sectionOf(source, contract) ?? rule.reference ?? '',
    occurrences: times,
    location:
      source === '' || place.line === undefined
        ? null
        : { file: place.file, line: place.line, column: place.column ?? 1 },
    exchanges: [...exchanges.keys()].sort((a, b) => a - b),
    ...(spread === undefined ? {} : { parts: spread.parts.map((part) => partOf(part, run, redact)) }),
  };
}

function wideMessage({ parts, kind, object }: Extent, message: string, reported: Observation): string {
  const operations = operationsIn(parts);
  const names = listed([...operations]);
  if (object !== undefined) return `${message} It is one object${object === '' ? '' : ` (${object})`}, in ${names}.`;
  if (kind === undefined) return `${message} It is so in ${operations.size} operations: ${names}.`;
  return `${reported.expected} became ${reported.actual} in ${parts.length} places: ${names}.`;
}

function partOf(cause: Cause, run: Run, redact: Redact): NonNullable<Finding['parts']>[number] {
  const { fingerprint: own, operationId, pointer } = findingOf(cause, run, redact);
  return { operationId: operationId ?? '', pointer, fingerprint: own };
}

const LONGEST_TEXT = 300;

export function inOrder(findings: readonly Finding[], contract: Contract): Finding[] {
  const order = new Map(contract.operations.map(({ operationId }, index) => [operationId, index]));
  const operation = ({ operationId }: Finding): number => order.get(operationId ?? '') ?? order.size;
  const rules = ALL_RULES.map(({ id }) => ruleName(id, contract.folder));
  const rule = (finding: Finding): number => rules.indexOf(finding.rule);
  return findings.toSorted(
    (a, b) =>
      operation(a) - operation(b) ||
      rule(a) - rule(b) ||
      compare(a.pointer, b.pointer) ||
      compare(a.path ?? '', b.path ?? '') ||
      compare(a.fingerprint, b.fingerprint),
  );
}
