import { ownFolder } from '../contract/folder.ts';
import type { MockClock } from './clock.ts';
import type { Engine } from './control/controls.ts';
import { createJournal } from './control/journal.ts';
import { createRecorder, toExchange } from './http/recorder.ts';
import { whenReady } from './message/answer.ts';
import { withInstance } from './message/problem.ts';
import type { MockOptions } from './mock.ts';
import { createBasePath } from './pipeline/base-path.ts';
import { createPipeline, type Lasting, type Pipeline } from './pipeline/pipeline.ts';
import { createReloader, type Served } from './pipeline/served-contract.ts';
import type { Nameable } from './scenarios/catalogue.ts';
import { createScenarios } from './scenarios/scenarios.ts';
import type { Memory } from './tenant/memory.ts';
import { TokenAuthority } from './tokens/token-authority.ts';
import { DEFAULT_CREDENTIALS, withPromise } from './tokens/token-endpoint.ts';
import { emitEvents, eventsOf } from './webhooks/events.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

/** A wrapper between the callers and the pipeline. */
export type Wrap = (pipeline: Pipeline) => Pipeline;

/** Creates all that answers a request to the API and remembers it. It has no address yet. */
export async function createEngine(
  wrap: Wrap,
  options: MockOptions,
  first: Served,
  clock: MockClock,
  memory: Memory,
): Promise<Engine> {
  let served = first;
  const { credentials = DEFAULT_CREDENTIALS, seed = 1 } = options;
  const key = (await signingKeyOf(options)) ?? (await memory.signingKey?.());
  const lifetime = options.tokenLifetime ?? memory.profile().tokenLifetime;
  const tokens = new TokenAuthority({ lifetime, clock: clock.now, key });
  const folder = (options.contract?.folder ?? options.folder ?? ownFolder).scenarios;
  const scenarios = await createScenarios(
    { nameable: () => nameableOf(served), folder, seed, tokens, now: clock.now },
    options.scenarios ?? [],
  );
  const lasting: Lasting = { credentials, tokens, memory, scenarios };
  let belowBase = createBasePath(served.plan);
  let pipeline = wrap(createPipeline(options, served, lasting));
  const { reload, status } = createReloader(options, async (fresh) => {
    const next = fresh ?? served;
    const takeScenarios = await scenarios.reread(nameableOf(next));
    await memory.reload(next.parts);
    if (fresh) pipeline = wrap(createPipeline(options, fresh, lasting));
    served = next;
    belowBase = createBasePath(served.plan);
    takeScenarios();
  });
  const journal = createJournal({
    credentials,
    toExchange: (recorded) => toExchange(tokens, recorded),
    secrets: () => served.plan.secrets,
  });
  const webhooks = createWebhooks(options.webhookHosts ?? [], clock.now, () => eventsOf(served));
  const record = createRecorder(clock, (recorded) => {
    journal.add(recorded);
    if (webhooks.busy) emitEvents(served, recorded, webhooks.emit);
    options.onExchange?.(toExchange(tokens, recorded));
  });
  return {
    ...lasting,
    options,
    clock,
    journal,
    webhooks,
    served: () => served,
    reload,
    status,
    interrupt: (head) => pipeline.interrupt(belowBase(head)),
    ask(given, via, trail = { operation: null }) {
      const call = belowBase(given);
      const url = call.query === '' ? call.path : `${call.path}?${call.query}`;
      // the journal has the paths of operations
      const answered = record(call, trail, call === given ? via : { socket: via.socket, url });
      return whenReady(pipeline.answer(call, trail), (made) => {
        const shown = withInstance(made, trail.seq ?? 0);
        // the caller of a slow body may leave before its end
        const isLater = shown.wire?.isSlow === true && 'destroyed' in via.socket;
        if (!isLater) answered(shown);
        const answer = isLater ? { ...shown, onSent: () => answered(shown) } : shown;
        return trail.operation?.auth === 'issues' ? withPromise(tokens, answer) : answer;
      });
    },
    async reset() {
      clock.reset();
      scenarios.reset();
      journal.clear();
      webhooks.reset();
      tokens.refuseNext(0);
      await memory.reset();
    },
  };
}

function nameableOf({ plan, parts }: Served): Nameable {
  return { operations: plan.operations, refusals: parts.entities.file.refusals };
}

async function signingKeyOf({ signingKey }: MockOptions): Promise<Uint8Array | undefined> {
  if (signingKey === undefined) return undefined;
  const { openSigningKey } = await import('./tokens/signing-key.ts');
  return openSigningKey(signingKey);
}
