import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { Call } from '../drift/call.ts';
import { namedFields } from '../drift/fields.ts';
import type { Finding, Severity } from '../drift/finding.ts';
import { judge } from '../drift/judge.ts';
import { isJsonType } from '../drift/media.ts';
import { CONTRADICTIONS, type RuleId } from '../drift/rules.ts';
import { ToolError } from '../errors.ts';
import { unreadable } from '../files/read.ts';
import { createRedactor } from '../http/redact.ts';
import type { Check, Report } from '../report/report.ts';
import { tool } from '../report/tool.ts';
import type { Contract, Json, Notice, Operation, OverlaySource, ResponseSpec } from '../spec/contract.ts';
import { type ContractFolder, ownFolder } from '../spec/folder.ts';
import { loadContract } from '../spec/load.ts';
import { joinPointer } from '../spec/pointer.ts';
import { sampleOf } from '../spec/sample.ts';
import { shownPath } from '../spec/source.ts';
import { counts, exitCodeOf, verdictOf } from './verdict.ts';

export interface DiffOptions {
  /** File of a recording or of a bundle: what was so far. Of a recording and a bundle the bundle is what the other is held to. */
  readonly before: string;
  /** File of a recording or of a bundle: what is now. */
  readonly after: string;
  /** The contract; the package's own by default. See `readContractFolder`. */
  readonly folder?: ContractFolder;
  /** Overlays that locate operations; they are applied to both, below the recordings. */
  readonly overlays?: readonly (string | OverlaySource)[];
  /** `error` by default, as for a run; a difference between recordings is a warning. */
  readonly failOn?: Severity;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Told of what the loader notices of either side. */
  readonly onNotice?: (notice: Notice) => void;
}

/** Rules that compare an answer with what is known of it; the others look at what only a live answer can show. */
const COMPARING: ReadonlySet<string> = new Set<RuleId>([
  ...CONTRADICTIONS,
  'body-presence-changed',
  'unrecorded-field',
  'undocumented-field',
  'undocumented-content-type',
]);

/**
 * Compares two recordings, or a recording and a bundle, without a network: answers are made of all that the later one allows, and
 * judged against the earlier one by the rules of a run.
 *
 * @throws ToolError `file-missing`, `file-unreadable`, `spec-invalid`, `overlay-invalid`, or `usage` for a file that is neither.
 */
export async function diff(options: DiffOptions): Promise<Report> {
  const clock = options.clock ?? Date.now;
  const startedAt = clock();
  const failOn = options.failOn ?? 'error';
  const [first, second] = await Promise.all([load(options.before, options), load(options.after, options)]);
  for (const { contract } of [first, second]) for (const notice of contract.notices) options.onNotice?.(notice);
  // What is documented is what a recording is held to, whichever is named first.
  const turned = first.recording && !second.recording;
  const [before, after] = turned ? [second, first] : [first, second];
  const calls: Call[] = [];
  const compared = new Set<string>();
  for (const operation of after.contract.operations) {
    const known = before.contract.operation(operation.operationId);
    if (known === undefined || known.path === null || operation.path === null) continue;
    const own = callsOf(after, operation, known, calls.length);
    if (own.length > 0) compared.add(operation.operationId);
    calls.push(...own);
  }
  const redactor = createRedactor();
  const refusals = refusalsOf(before, after);
  for (const { observation } of refusals) compared.add(observation.operationId ?? '');
  const judged = judge({
    contract: before.contract,
    calls,
    redact: (text) => redactor.text(text),
    counted: false,
    also: refusals,
  });
  const findings = judged.findings
    .filter(({ rule }) => COMPARING.has(rule))
    .map((finding): Finding => ({ ...withOptional(finding, after.contract), occurrences: 1, exchanges: [] }));
  const checks = checksOf(before, compared, findings, failOn);
  const ending = { interrupted: false, fault: false, findings, failOn, checks, stale: 0 };
  return {
    reportVersion: 1,
    tool,
    command: 'diff',
    target: { kind: 'journal', baseUrl: shownPath(turned ? options.before : options.after, options.folder) },
    startedAt: new Date(startedAt).toISOString(),
    durationMs: clock() - startedAt,
    exitCode: exitCodeOf(ending),
    verdict: verdictOf(ending),
    findings,
    accepted: [],
    stale: [],
    checks,
    coverage: { operations: [] },
    deprecations: [],
  };
}

interface Side {
  readonly contract: Contract;
  readonly recording: boolean;
}

async function load(file: string, options: DiffOptions): Promise<Side> {
  const { folder = ownFolder, overlays = [] } = options;
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  const root: unknown = readRoot(text);
  if (typeof root === 'object' && root !== null && 'openapi' in root) {
    return { contract: await loadContract({ folder, root: file, overlays }), recording: false };
  }
  if (typeof root === 'object' && root !== null && 'overlay' in root) {
    return { contract: await loadContract({ folder, overlays: [...overlays, { file, text }] }), recording: true };
  }
  throw new ToolError('usage', 'It is neither a recording (an overlay) nor a bundle (an OpenAPI document).', {
    place: { file: shownPath(file, folder) },
  });
}

/** Broken YAML is for the loader to explain: it knows the line. */
function readRoot(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent' });
  } catch {
    return { overlay: null };
  }
}

type Also = NonNullable<Parameters<typeof judge>[0]['also']>[number];

/** Operations that were recorded as good, and later as refused only: no answer can be made up that shows it. */
function refusalsOf(before: Side, after: Side): Also[] {
  const recorded = ({ contract }: Side, operation: Operation | undefined, statuses: RegExp): ResponseSpec[] =>
    (operation?.responses ?? []).filter(
      ({ status, pointer }) => statuses.test(status) && contract.provenanceOf(pointer) === 'observed',
    );
  return after.contract.operations.flatMap((operation): Also[] => {
    const good = recorded(before, before.contract.operation(operation.operationId), /^2\d\d$/);
    const refused = recorded(after, operation, /^4\d\d$/);
    const [first] = good;
    if (first === undefined || refused.length === 0 || recorded(after, operation, /^2/).length > 0) return [];
    const statuses = (all: readonly ResponseSpec[]): string => all.map(({ status }) => status).join(' or ');
    const observation = {
      operationId: operation.operationId,
      pointer: '',
      expected: statuses(good),
      actual: statuses(refused),
      source: first.pointer,
      exchanges: [],
    };
    return [{ rule: 'status-changed', observation }];
  });
}

/** Answers of every shape that a side allows. */
function callsOf({ contract, recording }: Side, operation: Operation, known: Operation, before: number): Call[] {
  const answers = operation.responses
    .filter(({ status, pointer }) => /^2/.test(status) && (!recording || contract.provenanceOf(pointer) === 'observed'))
    .flatMap((response) => answersOf(contract, response, statusFor(response.status, known)));
  return answers.map(({ status, type, body }, index): Call => {
    const number = before + index + 1;
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
    return {
      number,
      checkId: null,
      operationId: operation.operationId,
      purpose: 'succeed',
      auth: 'token',
      parameters: {},
      notSent: null,
      attempts: [
        {
          seq: number,
          startedAt: 0,
          endedAt: 0,
          connection: null,
          operationId: operation.operationId,
          request: { method: operation.method ?? 'GET', target: '/', headers: [], body: null },
          response: {
            status,
            headers: type === null ? [] : [['content-type', type]],
            body: { bytes, state: 'complete' },
          },
          failure: null,
          token: null,
        },
      ],
    };
  });
}

/** A class of statuses is whichever of them the other side knows. */
function statusFor(status: string, known: Operation): number {
  if (/^\d{3}$/.test(status)) return Number(status);
  const code = known.responses.find((response) => /^2\d\d$/.test(response.status));
  return Number(code?.status ?? '200');
}

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly body: Json | undefined;
}

function answersOf(contract: Contract, response: ResponseSpec, status: number): Answer[] {
  const empty: Answer = { status, type: null, body: undefined };
  const bodies = response.content.flatMap(({ type, schema, pointer }): Answer[] => {
    if (!isJsonType(type)) return [{ status, type, body: 'text' }];
    if (schema === undefined) return [];
    return variants(contract, joinPointer(pointer, 'schema')).map((body) => ({ status, type, body }));
  });
  // Where nothing is shown, nothing can be compared; where a recording says that there is none, it can.
  const recordedEmpty = response.content.length === 0 && contract.provenanceOf(response.pointer) === 'observed';
  const sometimes = contract.at(joinPointer(response.pointer, 'x-sometimes-empty')) === true;
  return recordedEmpty || sometimes ? [...bodies, empty] : bodies;
}

const MOST_VARIANTS = 500;

/**
 * A value with everything in it, one without each optional field, one for each further type or word of a place, and one with what a
 * recording saw against the reference.
 */
function variants(contract: Contract, schema: string): Json[] {
  const optional = new Set<string>();
  const choices = new Map<string, number>();
  const full = sampleOf(contract, schema, {
    seed: 1,
    include: (at) => optional.add(at) !== undefined,
    choose: (at, of) => {
      choices.set(at, of);
      return 0;
    },
  });
  const without = [...optional].map((left) => sampleOf(contract, schema, { seed: 1, include: (at) => at !== left }));
  const others = [...choices].flatMap(([place, of]) =>
    Array.from({ length: of - 1 }, (_, index) =>
      sampleOf(contract, schema, { seed: 1, choose: (at) => (at === place ? index + 1 : 0) }),
    ),
  );
  const contradicting = sampleOf(contract, schema, { seed: 1, contradicting: true });
  return [full, contradicting, ...without, ...others].slice(0, MOST_VARIANTS);
}

/** A field that was always there and now is only sometimes: that is not gone. */
function withOptional(finding: Finding, after: Contract): Finding {
  if (finding.rule !== 'required-missing') return finding;
  const responses = after.operation(finding.operationId ?? '')?.responses ?? [];
  const field = responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ content }) => content)
    .flatMap(({ pointer }) => namedFields(after, joinPointer(pointer, 'schema'), ''))
    .find(({ at }) => at === finding.pointer);
  if (field === undefined) return finding;
  const schema = after.at(field.schema);
  const seen = typeof schema === 'object' && schema !== null && 'x-seen' in schema ? schema['x-seen'] : undefined;
  const numbers = seen as { readonly in?: Json; readonly of?: Json } | undefined;
  const now = numbers === undefined ? 'only sometimes' : `in ${String(numbers.in)} of ${String(numbers.of)} places`;
  return { ...finding, message: `${finding.pointer} was always there; now it is there ${now}.` };
}

function checksOf(
  before: Side,
  compared: ReadonlySet<string>,
  findings: readonly Finding[],
  failOn: Severity,
): Check[] {
  const known = before.contract.operations.filter(
    ({ operationId, responses }) =>
      compared.has(operationId) ||
      (before.recording && responses.some(({ pointer }) => before.contract.provenanceOf(pointer) === 'observed')),
  );
  return known.map(({ operationId }): Check => {
    const own = findings.filter((finding) => finding.operationId === operationId);
    const failed = own.some((finding) => counts(finding, failOn));
    return {
      id: `diff.answers.${operationId}`,
      operationId,
      kind: 'any',
      outcome: !compared.has(operationId) ? 'skipped' : failed ? 'failed' : 'passed',
      reason: compared.has(operationId)
        ? own.map(({ message }) => message).join(' ')
        : 'the other file does not show it',
      durationMs: 0,
    };
  });
}
