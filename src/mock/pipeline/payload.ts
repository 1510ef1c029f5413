import type { Provenance } from '../../contract/contract.ts';
import type { PlannedExample, PlannedOperation } from '../compile/plan.ts';
import { type Answer, answer } from '../http/answer.ts';
import { type Call, field, fillPath } from '../http/call.ts';
import { problem } from '../http/problem.ts';
import { accepts, safeAccept } from './accept.ts';
import type { Engine, EngineReply, EngineRequest, Preference } from './prefer.ts';
import { isJson } from './validate-body.ts';

export interface PayloadOptions {
  readonly operations: readonly PlannedOperation[];
  /** Loads Prism, once. */
  readonly engine: () => Promise<Engine>;
  /** What an answer that Prism made rests on. */
  readonly provenanceOf: (operation: PlannedOperation, status: number, body: unknown) => Promise<Provenance>;
  /** What of a body that Prism made is shown: where the answer was recorded, nothing that is merely assumed. */
  readonly shownOf: (operation: PlannedOperation, status: number, body: unknown) => Promise<unknown>;
}

export interface Payload {
  /** Refuses a request that accepts none of the types that the operation answers with. */
  acceptable(operation: PlannedOperation, call: Call): Answer | undefined;
  make(
    operation: PlannedOperation,
    parameters: Readonly<Record<string, string>>,
    call: Call,
    body: unknown,
    preference: Preference | undefined,
  ): Answer | Promise<Answer>;
}

/** Makes the answer of a request that passed every check: the serialised example, or by Prism whatever is not constant. */
export function createPayload(options: PayloadOptions): Payload {
  const ready = readyAnswers(options.operations);
  const empty = new Map(
    options.operations.map((operation) => [operation, answer(operation.response.status, null, operation.located)]),
  );

  const byPrism = async (
    operation: PlannedOperation,
    parameters: Readonly<Record<string, string>>,
    call: Call,
    body: unknown,
    preference: Preference,
    wanted?: string,
  ): Promise<Answer> => {
    const engine = await options.engine();
    const request: EngineRequest = {
      operation,
      path: fillPath(operation.path, parameters),
      query: call.query,
      headers: headersFor(call),
      body,
      preference,
      judge: operation.prismJudges,
      ignoreExamples: preference.code === undefined && hasNoExample(operation),
    };
    let reply = await engine.respond(
      wanted === undefined ? request : { ...request, preference: { exampleKey: wanted } },
    );
    // the type that was negotiated may have no example of the name
    if (wanted !== undefined && reply.kind === 'refused' && reply.status === 404) reply = await engine.respond(request);
    if (reply.kind === 'refused') return toAnswer(reply, 'assumed');
    const shown = { ...reply, body: await options.shownOf(operation, reply.status, reply.body) };
    return toAnswer(shown, await options.provenanceOf(operation, shown.status, shown.body));
  };

  return {
    acceptable(operation, call) {
      const { media } = operation.response;
      const wanted = field(call, 'accept');
      if (wanted === undefined || media.length === 0 || media.some((one) => accepts(wanted, one.type)))
        return undefined;
      return problem(
        406,
        'not-acceptable',
        `${operation.operationId} answers with ${media.map((one) => one.type).join(', ')}`,
      );
    },
    make(operation, parameters, call, body, preference) {
      const example = exampleFor(operation, parameters);
      if (preference) return byPrism(operation, parameters, call, body, preference);
      if (operation.prismJudges || operation.response.prismMakes) {
        return byPrism(operation, parameters, call, body, {}, example?.key);
      }
      const made = example ? ready.get(example) : empty.get(operation);
      return made ?? byPrism(operation, parameters, call, body, {});
    },
  };
}

/** True where every example contradicts its schema: they were left out of the plan, and Prism must not show them either. */
function hasNoExample({ response }: PlannedOperation): boolean {
  return response.media.length > 0 && response.media.every(({ examples }) => examples.length === 0);
}

function readyAnswers(operations: readonly PlannedOperation[]): ReadonlyMap<PlannedExample, Answer> {
  const ready = new Map<PlannedExample, Answer>();
  for (const { response } of operations) {
    for (const { type, examples } of response.media) {
      for (const example of examples) {
        const bytes = Buffer.from(example.body);
        ready.set(example, answer(response.status, { type, bytes }, example.provenance));
      }
    }
  }
  return ready;
}

/** The example whose `when` the request meets, else the first. */
function exampleFor(
  operation: PlannedOperation,
  parameters: Readonly<Record<string, string>>,
): PlannedExample | undefined {
  const examples = operation.response.media[0]?.examples ?? [];
  for (const example of examples) {
    if (example.when && Object.entries(example.when).every(([name, value]) => parameters[name] === value))
      return example;
  }
  return examples[0];
}

/** What Prism is told of the header fields: an Accept that it can parse, and the type of the body. */
function headersFor(call: Call): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(call.headers)) {
    const value = field(call, name);
    if (value !== undefined && name !== 'accept' && name !== 'authorization') headers[name] = value;
  }
  const accept = safeAccept(field(call, 'accept'));
  if (accept !== undefined) headers.accept = accept;
  if (call.body) headers['content-length'] = String(call.body.length);
  return headers;
}

function toAnswer(reply: EngineReply, provenance: Provenance): Answer {
  if (reply.kind === 'refused') {
    if (reply.wrong.length > 0) {
      const kind = reply.wrong[0]?.in === 'body' ? 'invalid-body' : 'invalid-query';
      return problem(422, kind, reply.wrong[0]?.message ?? reply.detail, { members: { errors: reply.wrong } });
    }
    const status = reply.status >= 400 && reply.status < 500 ? reply.status : 400;
    return problem(
      status,
      status === 406 ? 'not-acceptable' : status === 415 ? 'unsupported-type' : 'preference-unmet',
      reply.detail,
    );
  }
  const { 'content-type': type, deprecation: _, ...others } = reply.headers;
  const more = Object.entries(others).flatMap(([name, value]) => (isSendable(value) ? [name, value] : []));
  if (reply.status === 401 && others['www-authenticate'] === undefined)
    more.push('www-authenticate', 'Bearer realm="banking-api mock"');
  if (
    reply.body === undefined ||
    type === undefined ||
    reply.status === 204 ||
    reply.status === 205 ||
    reply.status === 304
  ) {
    return answer(reply.status, null, provenance, more);
  }
  const text =
    isJson(type.split(';')[0]?.trim().toLowerCase() ?? '') || typeof reply.body !== 'string'
      ? JSON.stringify(reply.body)
      : reply.body;
  return answer(reply.status, { type, bytes: Buffer.from(text) }, provenance, more);
}

/** A header value that HTTP can carry; a generated one may not be. */
function isSendable(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
