import { ToolError } from '../../errors.ts';
import type { PlannedExample, PlannedMedia, PlannedOperation } from '../compile/plan.ts';
import type { AcceptedRequest, Payload, Preference } from '../compile/request.ts';
import { type Answer, answer, withHeaders } from '../message/answer.ts';
import { field } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import { preferredOf } from './negotiation.ts';
import { WARNING_HEADER } from './objections.ts';
import { CHALLENGE, createPrismAnswers, exampleFor } from './prism-answers.ts';
import type { Served } from './served-contract.ts';

/** Answers with the serialised example, and by Prism whatever is not constant. */
export function createPayload(served: Pick<Served, 'plan' | 'prism' | 'labelled' | 'madeUp'>): Payload {
  const { plan, madeUp } = served;
  const ready = readyAnswers(plan.operations);
  const byPrism = createPrismAnswers(served);

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

/** What of a preference is answered if Prism is not installed: the usual status, an example by its name, and a 401. */
function wishedFor(request: AcceptedRequest, preference: Preference, ready: Ready, error: unknown): Answer {
  const { response } = request.operation;
  const { code = response.status, exampleKey, dynamic = false } = preference;
  if (!isMissing(error) || dynamic) throw error;
  if (code === 401)
    return problem('token-refused', 'the token is refused, as the request prefers', { headers: CHALLENGE });
  const { examples = [] } = preferredOf(field(request.call, 'accept'), response.media) ?? {};
  const example =
    exampleKey === undefined ? exampleFor(request, examples) : examples.find(({ key }) => key === exampleKey);
  const made = code === response.status && example && ready.get(example);
  if (!made) throw error;
  return made;
}

type Ready = ReadonlyMap<PlannedExample | PlannedOperation, Answer>;

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
