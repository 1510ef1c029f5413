import type { Provenance } from '../../contract/contract.ts';
import { ToolError } from '../../errors.ts';
import { isSendable } from '../../model/exchange.ts';
import { MADE_UP, type PlannedExample, type PlannedMedia, type PlannedOperation } from '../compile/plan.ts';
import type { Served } from '../compile/served-contract.ts';
import { type Answer, answer, BODILESS, type FlatHeaders, withHeaders } from '../http/answer.ts';
import { type Call, FORM_TYPE, field, fillPath, isJson, mediaTypeOf } from '../http/call.ts';
import { problem } from '../http/problem.ts';
import { type Preference, preferredOf, safeAccept } from './negotiation.ts';
import { WARNING_HEADER } from './objections.ts';
import { PREFERABLE } from './preferred.ts';
import type { EngineReply, EngineRequest } from './prism.ts';

/** A request that passed every check. */
export interface AcceptedRequest {
  readonly operation: PlannedOperation;
  /** Decoded path parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly call: Call;
  /** Parsed where it is JSON, else text; undefined where there is none. */
  readonly body: unknown;
  readonly preference: Preference | undefined;
}

/** Answers a request that passed every check. */
export type Payload = (request: AcceptedRequest) => Answer | Promise<Answer>;

type PayloadParts = Pick<Served, 'plan' | 'engine' | 'labelled' | 'madeUp'>;

/** Answers with the serialised example, and by Prism whatever is not constant. */
export function createPayload({ plan, engine, labelled, madeUp }: PayloadParts): Payload {
  const ready = readyAnswers(plan.operations);

  const byPrism = async (accepted: AcceptedRequest, exampleKey?: string): Promise<Answer> => {
    const { operation, parameters, call, body, preference = {} } = accepted;
    const request: EngineRequest = {
      operation,
      path: fillPath(operation.path, parameters),
      query: call.query,
      headers: headersFor(call),
      // Prism reads a form by itself
      body: mediaTypeOf(call) === FORM_TYPE ? call.body?.toString('utf8') : body,
      preference,
      judge: operation.prismJudges,
      ignoreExamples: preference.code === undefined && hasNoExample(operation),
    };
    const { respond } = await engine();
    let reply = await respond(exampleKey === undefined ? request : { ...request, preference: { exampleKey } });
    // the type that was negotiated may have no example of the name
    if (exampleKey !== undefined && reply.kind === 'refused' && reply.status === 404) reply = await respond(request);
    if (reply.kind === 'refused') return refusalOf(reply);
    const { body: shown, provenance } = await labelled(operation, reply);
    return answerOf({ ...reply, body: shown }, provenance);
  };

  const judgedByPrism = (request: AcceptedRequest, made?: Answer, example?: PlannedExample): Promise<Answer> => {
    const asked = byPrism(request, example?.key === MADE_UP ? undefined : example?.key);
    return made ? asked.catch((error: unknown) => unjudged(made, error)) : asked;
  };

  const unplannedOnes = new Map<PlannedMedia, Promise<readonly PlannedExample[]>>();
  const unplanned = async (request: AcceptedRequest, media: PlannedMedia): Promise<Answer> => {
    const { operation } = request;
    const examples = unplannedOnes.get(media) ?? madeUp(operation, media.type);
    unplannedOnes.set(media, examples);
    const example = exampleFor(request, await examples);
    const made = example && exampleAnswer(operation, media.type, example);
    return made && !operation.prismJudges ? made : judgedByPrism(request, made, example);
  };

  return (request) => {
    const { operation, call, preference } = request;
    if (preference) return byPrism(request).catch((error: unknown) => wishedFor(request, preference, ready, error));
    const media = preferredOf(field(call, 'accept'), operation.response.media);
    if (media && media.examples.length === 0) return unplanned(request, media);
    const example = exampleFor(request, media?.examples);
    const made = ready.get(example ?? operation);
    return made && !operation.prismJudges ? made : judgedByPrism(request, made, example);
  };
}

/** What is only judged by Prism passes where Prism is not installed, and says so. */
function unjudged(made: Answer, error: unknown): Answer {
  if (!isMissing(error)) throw error;
  return withHeaders(made, [
    WARNING_HEADER,
    'the body was not judged: of its type only Prism can, which is not installed',
  ]);
}

function isMissing(error: unknown): boolean {
  return error instanceof ToolError && error.code === 'engine-missing';
}

/** What of an explicit wish is constant, where Prism is not installed: an example, a good status, a 401, and that there is no such answer. */
function wishedFor(request: AcceptedRequest, preference: Preference, ready: Ready, error: unknown): Answer {
  const { response, statuses, located } = request.operation;
  const { code = response.status, exampleKey, dynamic = false } = preference;
  if (!isMissing(error) || dynamic) throw error;
  const range = `${String(code)[0]}XX`;
  const isDescribed = statuses.some((status) => [String(code), range, 'default'].includes(status.replace('xx', 'XX')));
  if (!isDescribed)
    return refusalOf({ status: 404, detail: `no answer of the status ${code} is described`, wrong: [] });
  if (code === 401)
    return problem(401, 'token-refused', 'the token is refused, as was asked for', { headers: CHALLENGE });
  // one answer is planned: that of its own status, or of all statuses of its range
  if (code !== response.status && (range !== '2XX' || statuses.some((status) => /^2\d\d$/.test(status)))) throw error;
  const { examples = [] } = preferredOf(field(request.call, 'accept'), response.media) ?? {};
  const example =
    exampleKey === undefined ? exampleFor(request, examples) : examples.find(({ key }) => key === exampleKey);
  if (exampleKey !== undefined && !example)
    return refusalOf({
      status: 404,
      detail: `no example is called ${JSON.stringify(exampleKey.slice(0, 64))}`,
      wrong: [],
    });
  const made = example || response.media.length === 0 ? ready.get(example ?? request.operation) : undefined;
  if (!made) throw error;
  return BODILESS.has(code) ? answer(code, null, located) : { ...made, status: code };
}

const CHALLENGE: FlatHeaders = ['www-authenticate', 'Bearer realm="banking-api mock"'];

/** True where every example contradicts its schema: Prism must not show them either. */
function hasNoExample({ response }: PlannedOperation): boolean {
  const isWritten = ({ key }: PlannedExample): boolean => key !== MADE_UP;
  return response.media.length > 0 && !response.media.some(({ examples }) => examples.some(isWritten));
}

type Ready = ReadonlyMap<PlannedExample | PlannedOperation, Answer>;

/** The answers that are constant: by example, and by operation where it answers without a body. */
function readyAnswers(operations: readonly PlannedOperation[]): Ready {
  const ready = new Map<PlannedExample | PlannedOperation, Answer>();
  for (const operation of operations) {
    const { status, media, headers } = operation.response;
    ready.set(operation, answer(status, null, operation.located, headers));
    for (const { type, examples } of media) {
      for (const example of examples) {
        ready.set(example, exampleAnswer(operation, type, example));
      }
    }
  }
  return ready;
}

function exampleAnswer({ response }: PlannedOperation, type: string, { body, provenance }: PlannedExample): Answer {
  return answer(response.status, { type, bytes: Buffer.from(body) }, provenance, response.headers);
}

/** The example whose `when` the request meets, else the first. */
function exampleFor(
  { parameters }: AcceptedRequest,
  examples: readonly PlannedExample[] = [],
): PlannedExample | undefined {
  const meant = examples.find(
    ({ when }) => when && Object.entries(when).every(([name, value]) => parameters[name] === value),
  );
  return meant ?? examples[0];
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

function refusalOf({ status: given, detail, wrong }: Omit<Extract<EngineReply, { kind: 'refused' }>, 'kind'>): Answer {
  const [first] = wrong;
  if (first) {
    const kind = first.in === 'body' ? 'invalid-body' : 'invalid-query';
    return problem(422, kind, first.message, { members: { errors: wrong } });
  }
  const status = given >= 400 && given < 500 ? given : 400;
  const kind = status === 406 ? 'not-acceptable' : status === 415 ? 'unsupported-type' : 'preference-unmet';
  const more = kind === 'preference-unmet' ? `; refusals that can be had: ${PREFERABLE.join(', ')}` : '';
  return problem(status, kind, more === '' ? detail : detail.replace(/\.$/, '') + more);
}

function answerOf(reply: EngineReply & { readonly kind: 'answer' }, provenance: Provenance): Answer {
  const { status, body } = reply;
  const { 'content-type': type, deprecation: _, ...others } = reply.headers;
  // a generated value may be none that can be sent
  const more = Object.entries(others).flatMap(([name, value]) => (isSendable(value) ? [name, value] : []));
  if (status === 401 && others['www-authenticate'] === undefined) more.push(...CHALLENGE);
  if (body === undefined || type === undefined || BODILESS.has(status)) return answer(status, null, provenance, more);
  const asJson = isJson(type.split(';')[0]?.trim().toLowerCase() ?? '') || typeof body !== 'string';
  const bytes = Buffer.from(asJson ? JSON.stringify(body) : body);
  return answer(status, { type, bytes }, provenance, more);
}
