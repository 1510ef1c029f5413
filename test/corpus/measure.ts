import type { OverlaySource } from '../../src/contract/contract.ts';
import type { Finding } from '../../src/model/finding.ts';
import { reasonText } from '../../src/model/reason.ts';
import type { Report } from '../../src/model/report.ts';
import { verify } from '../../src/run/verify.ts';
import type { Change } from './change.ts';
import { drive, type Known, know, OPTIONS } from './drive.ts';
import { startStandIn } from './stand-in.ts';
import { TENANT } from './world.ts';

/** The result of one change: found, if nothing is missed and nothing is a false alarm. */
export interface Result {
  readonly missed: readonly string[];
  readonly falseAlarms: readonly string[];
  /** Reported findings; without a recording, without additional infos. */
  readonly told: number;
}

const line = ({ severity, rule, operationId, pointer }: Finding): string =>
  `${severity} ${rule} ${operationId} ${pointer}`;

interface Outcome {
  readonly findings: readonly Finding[];
  /** Reasons of inconclusive operations. */
  readonly reasons: readonly string[];
  /** Operations that were inconclusive. */
  readonly unclear: readonly string[];
  /** Operations judged as good, except the token endpoint. */
  readonly good: readonly string[];
}

function compare(change: Change, { findings, reasons, unclear, good }: Outcome): Result {
  const lines = findings.map(line);
  const expected = change.unclear ?? [];
  const saidUnclear = [...new Set(unclear)].map((id) => `inconclusive ${id}`);
  const wantedUnclear = typeof expected === 'string' ? [] : expected.map((id) => `inconclusive ${id}`);
  const said = [...reasons, ...findings.flatMap((one) => [one.message, `${one.rule}: ${one.compatibility}`])];
  // Without a recording the stand-in has many undocumented fields, each worth an info.
  const more = without(lines, change.finds).filter((one) => change.unrecorded !== true || !one.startsWith('info '));
  return {
    told: lines.length - without(lines, change.finds).length + more.length,
    missed: [
      ...without(change.finds, lines),
      ...(change.says ?? []).filter((wanted) => !said.some((message) => wanted.test(message))).map(String),
      ...wantedUnclear.filter((one) => !saidUnclear.includes(one)),
      ...(expected === 'all' ? good.map((id) => `inconclusive ${id}`) : []),
      ...(expected === 'some' && unclear.length === 0 ? ['inconclusive (some)'] : []),
    ],
    falseAlarms: [
      ...more,
      ...(typeof expected === 'string' ? [] : saidUnclear.filter((one) => !wantedUnclear.includes(one))),
    ],
  };
}

/** The first list minus the second, with multiplicity: two findings of one cause are one too many. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...list];
  for (const one of other) {
    const index = left.indexOf(one);
    if (index >= 0) left.splice(index, 1);
  }
  return left;
}

/** The tenant's overlay, what is left of the recording, and what is added to it. */
function overlaysOf({ overlays }: Known, { cut = 100, overlay }: Change): OverlaySource[] {
  const left = overlays.map(({ file, text = '' }) => {
    return { file, text: file === TENANT.file ? text : text.slice(0, (text.length * cut) / 100) };
  });
  const head = "overlay: 1.0.0\nx-provenance: observed\ninfo: { title: more, version: '1' }\nactions:\n";
  return overlay === undefined ? left : [...left, { file: 'more.yaml', text: head + overlay }];
}

async function leftOf(known: Known, change: Change): Promise<Known> {
  return change.cut === undefined && change.overlay === undefined ? known : know(overlaysOf(known, change));
}

/** Tries one change with the calls of `verify` and its judge. */
export async function tryChange(change: Change, known: Known, seed: number): Promise<Result> {
  await using sandbox = await startStandIn(seed, change);
  const { judged } = await drive(sandbox.url, await leftOf(known, change), change.options);
  const kinds = [...judged.judgements].map(([{ operationId }, { kind }]) => [operationId, kind] as const);
  const ids = (wanted: string): string[] => kinds.filter(([, kind]) => kind === wanted).map(([id]) => id);
  return compare(change, {
    findings: judged.findings,
    reasons: [...judged.judgements.values()].flatMap((one) =>
      one.kind === 'inconclusive' ? [reasonText(one.why)] : [],
    ),
    unclear: ids('inconclusive'),
    good: ids('good').filter((id) => id !== 'getToken'),
  });
}

/** Tries one change with a whole `verify`: suite, verdict and exit code. */
export async function tryWhole(change: Change, known: Known, seed: number): Promise<Result & { report: Report }> {
  await using sandbox = await startStandIn(seed, change);
  const report = await verify({
    ...OPTIONS,
    ...change.options,
    target: sandbox.url,
    overlays: overlaysOf(known, change),
    failOn: 'warning',
  });
  const unclear = report.checks.filter(({ outcome }) => outcome === 'inconclusive');
  const answered = report.checks.filter(({ id, outcome }) => outcome === 'passed' && id.includes('.answers.'));
  const result = compare(change, {
    findings: report.findings,
    reasons: unclear.map(({ reason }) => reason),
    unclear: unclear.map(({ operationId }) => operationId ?? ''),
    good: answered.map(({ operationId }) => operationId ?? ''),
  });
  const drifts = change.finds.some((one) => !one.startsWith('info '));
  const exitCode = drifts ? 1 : change.unclear === undefined ? 0 : 4;
  const wrong = report.exitCode === exitCode ? [] : [`exit code ${report.exitCode} instead of ${exitCode}`];
  return { ...result, report, missed: [...result.missed, ...wrong] };
}
