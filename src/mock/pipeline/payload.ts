import { ToolError } from '../../errors.ts';
import type { PlannedExample, PlannedMedia, PlannedOperation } from '../compile/plan.ts';
import type { AcceptedRequest, Payload, Preference } from '../compile/request.ts';
import { type Answer, answer, BODILESS, withHeaders } from '../message/answer.ts';
import { field } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import { preferredOf } from './negotiation.ts';
import { WARNING_HEADER } from './objections.ts';
import { PREFERABLE } from './preferred.ts';
import { CHALLENGE, createPrismAnswers, exampleFor, refusalOf } from './prism-answers.ts';
import type { Served } from './served-contract.ts';

/** Answers with the serialised example, and by Prism whatever is not constant. */
export function createPayload(served: Pick<Served, 'plan' | 'prism' | 'labelled' | 'madeUp'>): Payload {
  const { plan, madeUp } = served;
  const ready = readyAnswers(plan.operations);
  const byPrism = createPrismAnswers(served, PREFERABLE);

  const judgedByPrism = (request: AcceptedRequest, made?: Answer, example?: PlannedExample): Promise<Answer> => {
    const asked = byPrism(request, { example });
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
  if (code === 401) return problem('token-refused', 'the token is refused, as was asked for', { headers: CHALLENGE });
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
