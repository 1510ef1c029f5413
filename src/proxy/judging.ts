import type { Circumstances } from '../contract/circumstances.ts';
import type { Contract } from '../contract/contract.ts';
import type { Judgement } from '../judge/classify.ts';
import { inOrder } from '../judge/findings.ts';
import { judgeInSlices } from '../judge/judge.ts';
import { refutedAssumptions } from '../judge/refuted.ts';
import type { Sample } from '../judge/rule.ts';
import { createSchemas, type Schemas } from '../judge/schemas.ts';
import type { Call } from '../model/call.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import type { DeprecationWatch, OperationCoverage } from '../model/report.ts';
import { coverageOf } from '../report/coverage.ts';
import { deprecationsOf } from '../report/deprecations.ts';
import { callOf } from './call-of.ts';
import { createMemory } from './memory.ts';
import type { Places } from './places.ts';
import { addCoverage, createTally } from './tally.ts';

/** Milliseconds in which exchanges gather before they are judged together. */
const GATHER = 25;
/** Exchanges of one round; between two rounds the streams have their turn. */
const MOST_AT_ONCE = 16;
/** Answers of one operation whose fields are counted for the coverage. */
const MOST_COVERED = 200;
/** Bytes of bodies that may wait; beyond it an exchange is judged by its status alone. */
const MOST_WAITING = 64 * 1024 * 1024;

export interface JudgingOptions {
  /** The contract as it is known at this moment: once the target turns out to be a mock, its assumptions count too. */
  readonly places: () => Promise<Places>;
  /** The contract with what the mock assumes; null where that is the contract, or where it cannot be said. */
  readonly assumptions: () => Promise<Contract | null>;
  readonly circumstances: () => Circumstances;
  readonly redact: (text: string) => string;
  readonly onFinding: (finding: Finding) => void;
  /** Something of ours went wrong while judging. */
  readonly onFault: (error: unknown) => void;
}

/** What is known of one operation that was called. */
export interface Exercised {
  readonly operationId: string;
  /** Exchanges that could be judged. */
  readonly judged: number;
  /** Why the last one that could not be judged was not; empty where all could. */
  readonly reason: string;
  /** Milliseconds of all its exchanges together. */
  readonly durationMs: number;
}

/** Judges exchanges by the rules of a run, beside the streams: after an exchange has ended, and never in its way. */
export interface Judging {
  add(exchange: Exchange): void;
  /** Resolves when everything that was added has been judged. */
  settled(): Promise<void>;
  /** In the order of a run's report. */
  findings(): Promise<readonly Finding[]>;
  readonly exercised: readonly Exercised[];
  coverage(): Promise<readonly OperationCoverage[]>;
  deprecations(): Promise<readonly DeprecationWatch[]>;
}

export function createJudging(options: JudgingOptions): Judging {
  const memory = createMemory();
  const tally = createTally();
  const exercised = new Map<string, Exercised>();
  let coverage: readonly OperationCoverage[] = [];
  const covered = new Map<string, number>();
  const waiting: Exchange[] = [];
  let bytesWaiting = 0;
  let running: Promise<void> | undefined;
  const compiled = new WeakMap<Contract, Schemas>();

  function schemasOf(contract: Contract): Schemas {
    const schemas = compiled.get(contract) ?? createSchemas(contract.document);
    compiled.set(contract, schemas);
    return schemas;
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const round = waiting.splice(0, MOST_AT_ONCE);
      for (const exchange of round) bytesWaiting -= sizeOf(exchange);
      try {
        await one(round, await options.places(), await options.assumptions());
      } catch (error) {
        options.onFault(error);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    running = undefined;
  }

  async function one(
    round: readonly Exchange[],
    { contract, spotOf }: Places,
    assumptions: Contract | null,
  ): Promise<void> {
    const calls: Call[] = [];
    const strays: Exchange[] = [];
    for (const exchange of round) {
      const spot = spotOf(exchange.request.method, exchange.request.target);
      if (spot !== null) calls.push(callOf(exchange, spot, contract));
      // A preflight asks for permission and is no call of its own.
      else if (exchange.request.method !== 'OPTIONS') strays.push(exchange);
    }
    const times = new Map(round.map(({ seq, endedAt }) => [seq, new Date(endedAt).toISOString()]));
    const judged = await judgeInSlices({
      contract,
      calls: [...memory.calls, ...calls],
      strays,
      circumstances: options.circumstances(),
      redact: options.redact,
      schemas: schemasOf(contract),
    });
    const own = new Set(calls);
    const samples = judged.samples.filter(({ call }) => own.has(call));
    cover(contract, samples, calls);
    for (const call of calls) {
      note(call, judged.judgements.get(call));
      memory.add(call);
    }
    const refuted =
      assumptions === null
        ? []
        : await refutedAssumptions(
            { contract, calls, redact: options.redact },
            { contract: assumptions, schemas: schemasOf(assumptions) },
            judged.findings,
          );
    for (const finding of tally.add([...judged.findings, ...refuted], (seq) => times.get(seq))) {
      options.onFinding(finding);
    }
  }

  /** Coverage of the operations that were called in this round; the others are as they were. */
  function cover(contract: Contract, all: readonly Sample[], calls: readonly Call[]): void {
    const samples = all.filter(({ operation: { operationId } }) => {
      const count = (covered.get(operationId) ?? 0) + 1;
      covered.set(operationId, count);
      return count <= MOST_COVERED;
    });
    const known = new Set(coverage.filter(({ exercised: was }) => was).map(({ operationId }) => operationId));
    const called = new Set([
      ...samples.map(({ operation }) => operation.operationId),
      ...calls.map(({ operationId }) => operationId).filter((operationId) => !known.has(operationId)),
    ]);
    if (called.size === 0) return;
    const operations = contract.operations.filter(({ operationId }) => called.has(operationId));
    const next = coverageOf({ ...contract, operations }, samples, calls);
    coverage = [...coverage.filter(({ operationId }) => !called.has(operationId)), ...addCoverage(coverage, next)];
  }

  function note(call: Call, judgement: Judgement | undefined): void {
    const { operationId } = call;
    const before = exercised.get(operationId) ?? { operationId, judged: 0, reason: '', durationMs: 0 };
    const [attempt] = call.attempts;
    const unclear = judgement?.kind === 'inconclusive';
    exercised.set(operationId, {
      operationId,
      judged: before.judged + (unclear || (judgement === undefined && call.purpose !== 'refuse-token') ? 0 : 1),
      reason: unclear ? judgement.reason : before.reason,
      durationMs: before.durationMs + (attempt === undefined ? 0 : attempt.endedAt - attempt.startedAt),
    });
  }

  async function settled(): Promise<void> {
    while (running !== undefined) await running;
  }

  return {
    add(exchange) {
      const kept = bytesWaiting + sizeOf(exchange) > MOST_WAITING ? withoutBodies(exchange) : exchange;
      bytesWaiting += sizeOf(kept);
      waiting.push(kept);
      running ??= new Promise((resolve) => setTimeout(resolve, GATHER)).then(run);
    },
    settled,
    async findings() {
      await settled();
      const { contract } = await options.places();
      return inOrder(tally.findings, contract);
    },
    get exercised() {
      return [...exercised.values()];
    },
    async coverage() {
      await settled();
      const { contract } = await options.places();
      return addCoverage(coverage, coverageOf(contract, [], []));
    },
    async deprecations() {
      await settled();
      const { contract } = await options.places();
      const { calls } = memory;
      const judged = await judgeInSlices({ contract, calls, redact: options.redact, schemas: schemasOf(contract) });
      return deprecationsOf(contract, judged, options.redact);
    },
  };
}

function sizeOf({ request, response }: Exchange): number {
  return (request.body?.length ?? 0) + (response?.body.bytes.length ?? 0);
}

function withoutBodies(exchange: Exchange): Exchange {
  const { response } = exchange;
  const request = { ...exchange.request, body: null };
  if (response === null) return { ...exchange, request };
  return { ...exchange, request, response: { ...response, body: { bytes: new Uint8Array(), state: 'too-large' } } };
}
