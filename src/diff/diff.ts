import { parse } from 'yaml';
import type { Notice, OverlaySource } from '../contract/contract.ts';
import { type ContractFolder, ownFolder } from '../contract/folder.ts';
import { shownPath } from '../contract/source.ts';
import { ToolError } from '../errors.ts';
import { DOCUMENT, readTextFile } from '../files/read.ts';
import type { DiffSide } from '../judge/allowed-values.ts';
import { type Judged, judgeInSlices } from '../judge/judge.ts';
import { createSchemas } from '../judge/schemas.ts';
import { loadMerged } from '../learn/load-merged.ts';
import type { Finding, Threshold } from '../model/finding.ts';
import { reasonText } from '../model/reason.ts';
import type { Check, Report } from '../model/report.ts';
import { counts } from '../model/verdict.ts';
import { createRedactor } from '../redact/redact.ts';
import { makeReport, nothingKnown } from '../report/make-report.ts';
import { weakening } from '../report/notices.ts';
import { isObject } from '../schema/json.ts';
import { type Answered, answersOf, isRecordedIn } from './contracts.ts';
import { isNotCompared } from './examples.ts';

export interface DiffOptions {
  /** File of a recording or a bundle: the earlier state. A bundle is always the reference for a recording. */
  readonly before: string;
  readonly after: string;
  readonly folder?: ContractFolder;
  readonly overlays?: readonly (string | OverlaySource)[];
  /** `error` by default, as for a run. Differences between recordings are warnings. */
  readonly failOn?: Threshold;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  readonly signal?: AbortSignal;
  readonly onNotice?: (notice: Notice) => void;
}

/**
 * Compares two recordings, or a recording and a bundle, without a network. The earlier one judges everything that the
 * later one allows, by the rules of a run.
 *
 * @throws ToolError `file-missing`, `file-unreadable`, `spec-invalid`, `overlay-invalid`, or `usage` for another file
 */
export async function diff(options: DiffOptions): Promise<Report> {
  const { clock = Date.now, failOn = 'error', after, folder } = options;
  const startedAt = clock();
  return comparedFiles(options, startedAt).catch((thrown) => {
    const target = { kind: 'journal' as const, baseUrl: shownPath(after, folder) };
    return nothingKnown(thrown, { command: 'diff', target, startedAt, endedAt: clock(), failOn });
  });
}

async function comparedFiles(options: DiffOptions, startedAt: number): Promise<Report> {
  const { clock = Date.now, failOn = 'error' } = options;
  const [first, second] = await Promise.all([load(options.before, options), load(options.after, options)]);
  for (const { contract } of [first, second]) for (const notice of contract.notices) options.onNotice?.(notice);
  // A recording is always judged by the documented facts, in either order of the arguments.
  const turned = first.recording && !second.recording;
  const [before, after] = turned ? [second, first] : [first, second];
  const { doubts, compared, ...answered } = await answersOf(before, after, options.signal);
  for (const [{ pointer, operationId }, why] of doubts) {
    const place = before.contract.placeOf(pointer);
    options.onNotice?.({ code: 'not-compared', message: `${operationId}: ${why}.`, place });
  }
  const redactor = createRedactor();
  const judging = {
    ...answered,
    contract: before.contract,
    schemas: createSchemas(before.contract, isNotCompared),
    redact: (text: string) => redactor.text(text),
    occasion: 'diff' as const,
  };
  const judged = await judgeInSlices(judging, { ...(options.signal && { signal: options.signal }) });
  const interrupted = options.signal?.aborted === true;
  const findings = judged.findings.map((finding): Finding => ({ ...finding, occurrences: 1, exchanges: [] }));
  return makeReport({
    command: 'diff',
    target: { kind: 'journal', baseUrl: shownPath(turned ? options.before : options.after, options.folder) },
    startedAt,
    endedAt: clock(),
    failOn,
    interrupted,
    findings,
    checks: checksOf(before, judged, { doubts, compared }, failOn, interrupted),
    notices: weakening([first, second].flatMap(({ contract }) => contract.notices)),
  });
}

async function load(file: string, options: DiffOptions): Promise<DiffSide> {
  const { folder = ownFolder, overlays = [] } = options;
  const signal = options.signal && { signal: options.signal };
  const text = await readTextFile(file, DOCUMENT);
  const root: unknown = readRoot(text);
  const recording = isObject(root) && 'overlay' in root;
  if (!recording && !(isObject(root) && 'openapi' in root)) {
    throw new ToolError('usage', 'It is neither a recording (an overlay) nor a bundle (an OpenAPI document).', {
      place: { file: shownPath(file, folder) },
    });
  }
  const given = recording ? { overlays: [...overlays, { file, text }] } : { root: file, overlays };
  return { contract: await loadMerged({ folder, ...given, ...signal }), recording };
}

/** The loader reports broken YAML with its line. For most files, the first keyword shows the kind. */
function readRoot(text: string): unknown {
  const [, word] = /^(?:\{\s*)?["']?(openapi|overlay)["']?\s*:/m.exec(text) ?? [];
  if (word !== undefined) return { [word]: null };
  try {
    return parse(text, { logLevel: 'silent', uniqueKeys: false });
  } catch {
    return { overlay: null };
  }
}

function checksOf(
  before: DiffSide,
  { findings, judgements }: Judged,
  { doubts, compared }: Pick<Answered, 'doubts' | 'compared'>,
  failOn: Threshold,
  interrupted: boolean,
): Check[] {
  const byOperation = Map.groupBy(findings, ({ operationId }) => operationId);
  const answers = Map.groupBy(judgements, ([{ operationId }]) => operationId);
  const known = before.contract.operations.filter(
    (operation) =>
      byOperation.has(operation.operationId) ||
      answers.has(operation.operationId) ||
      doubts.has(operation) ||
      compared.has(operation) ||
      (before.recording && operation.responses.some(({ pointer }) => isRecordedIn(before.contract, pointer))),
  );
  return known.map((operation): Check => {
    const { operationId } = operation;
    const check = { id: `diff.answers.${operationId}`, operationId, kind: 'any', durationMs: 0 } as const;
    const own = byOperation.get(operationId) ?? [];
    const unclear = [
      ...(answers.get(operationId) ?? []).flatMap(([, one]) =>
        one.kind === 'inconclusive' ? [reasonText(one.why)] : [],
      ),
      ...(doubts.has(operation) ? [doubts.get(operation) ?? ''] : []),
    ];
    if (own.length + unclear.length === 0 && !answers.has(operationId) && !compared.has(operation)) {
      const reason = interrupted ? 'the run was interrupted' : 'the other file has no success of it';
      return { ...check, outcome: 'skipped', reason };
    }
    const failed = own.some((finding) => counts(finding, failOn));
    const outcome = failed ? 'failed' : unclear.length > 0 ? 'inconclusive' : 'passed';
    return { ...check, outcome, reason: [...own.map(({ message }) => message), ...new Set(unclear)].join(' ') };
  });
}
