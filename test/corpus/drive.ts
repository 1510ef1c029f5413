import type { Contract, OverlaySource } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { type Judged, judge, refutedAssumptions } from '../../src/judge/judge.ts';
import { type Call, isGood } from '../../src/model/call.ts';
import { confirmFailures } from '../../src/run/confirm.ts';
import { discover } from '../../src/run/discovery/discover.ts';
import { replaceGone } from '../../src/run/discovery/replace.ts';
import type { VerifyOptions } from '../../src/run/options.ts';
import { learn, type Recorded, type RecordOptions, record } from '../../src/run/record.ts';
import { openSession, type Session } from '../../src/run/session.ts';
import { openSuite } from '../../src/run/suite.ts';
import { CREDENTIALS } from '../run/sandbox.ts';
import { startStandIn } from './stand-in.ts';
import { TENANT, TENANT_PARAMETERS } from './world.ts';

/** A contract that is loaded and compiled once for many runs. */
export interface Known {
  readonly overlays: readonly OverlaySource[];
  readonly contract: Contract;
  /** The same with the mock's assumptions. */
  readonly assumptions: Contract;
}

export async function know(overlays: readonly OverlaySource[]): Promise<Known> {
  const contract = await loadContract({ overlays });
  const assumptions = await loadContract({ assumed: true, overlays });
  return { overlays, contract, assumptions };
}

/** Options of a run against a stand-in: short times, so that silence costs little. */
export const OPTIONS = {
  credentials: CREDENTIALS,
  parameters: TENANT_PARAMETERS,
  limits: { backoff: 5, perSecond: 10_000 },
  timeouts: { connect: 2, firstByte: 1.5, call: 5, dead: 6, retryAfter: 3 },
} satisfies VerifyOptions;

export interface Driven {
  readonly calls: readonly Call[];
  readonly judged: Judged;
}

/**
 * The calls of `verify` through the same way out, with the same retries, breaker and confirmation. It leaves
 * out only the test runner, which takes a second to start.
 */
async function conduct<T>(
  url: string,
  { contract, assumptions }: Known,
  settings: VerifyOptions,
  use: (session: Session) => T | Promise<T>,
): Promise<T> {
  await using opened = await openSession(
    {
      kind: 'url',
      embedded: false,
      baseUrl: url,
      host: new URL(url).host,
      contract,
      assumptions: () => Promise.resolve(assumptions),
      credentials: CREDENTIALS,
      token: undefined,
      parameters: settings.parameters ?? TENANT_PARAMETERS,
      mock: null,
      bodies: {},
      roles: {},
      filled: () => ({}),
      failing: {},
      async [Symbol.asyncDispose]() {},
    },
    settings,
  );
  const begun = await discover(opened);
  const { checks } = openSuite(begun);
  for (const { id, skip, calls } of checks.values()) {
    if (skip !== null) continue;
    for (const call of calls.flatMap((one) => Array.from({ length: one.times }, () => one))) {
      const made = await begun.makeCall({ ...call, checkId: id });
      // as a check of the suite ends
      if (call.purpose === 'succeed' && !isGood(made)) break;
    }
  }
  await confirmFailures(begun);
  return await use(await replaceGone(begun));
}

/** Those calls, judged by the rules of `verify`. */
export async function drive(
  url: string,
  known: Known,
  { infos = true, ...options }: VerifyOptions & { readonly infos?: boolean } = {},
): Promise<Driven> {
  const { contract, assumptions } = known;
  const settings: VerifyOptions = { ...OPTIONS, ...options };
  return conduct(url, known, settings, async ({ calls, redact }) => {
    const given = { contract, calls, redact };
    const { severity: severities = {}, idsGone = [], unsettled = [] } = settings;
    const judged = judge({ ...given, severities, idsGone, unsettled });
    const refuted = infos ? await refutedAssumptions(given, assumptions, judged.findings) : [];
    return { calls: [...calls], judged: { ...judged, findings: [...judged.findings, ...refuted] } };
  });
}

/** Those calls, and what `record` learns of them. */
export function driveAndLearn(url: string, known: Known, options: RecordOptions): Promise<Recorded> {
  const settings = { ...OPTIONS, overlays: known.overlays, ...options };
  return conduct(url, known, settings, (session) => {
    const limits = { signal: session.signal, until: Number.POSITIVE_INFINITY };
    return learn({ session, results: [], created: [], limits }, settings);
  });
}

/** A recording of the unchanged stand-in with the defaults of `record`: until nothing new appears. */
export async function recordStandIn(): Promise<{ bare: Known; recorded: Known }> {
  await using sandbox = await startStandIn(1);
  const { recording } = await record({ ...OPTIONS, target: sandbox.url, overlays: [TENANT] });
  const recorded = await know([TENANT, { file: 'recording.yaml', text: recording?.text ?? '' }]);
  return { bare: await know([TENANT]), recorded };
}
