import { ToolError } from '../../errors.ts';
import type { PlannedExample, PlannedMedia, PlannedOperation } from '../compile/plan.ts';
import type { AcceptedRequest, Payload, Preference } from '../compile/request.ts';
import { type Answer, answer, warning } from '../message/answer.ts';
import { field } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import { preferredOf } from './negotiation.ts';
import { CHALLENGE, createPrismAnswers, exampleFor } from './prism-answers.ts';
import type { Served } from './served-contract.ts';

/** Serves the serialised example, or asks Prism for another answer that a request prefers. */
export function createPayload(served: Pick<Served, 'prism' | 'labelled'>): Payload {
  const byPrism = createPrismAnswers(served);
  const ready = createReady();

  return (request) => {
    const { operation, call, preference } = request;
    if (preference) return byPrism(request).catch((error: unknown) => wishedFor(request, preference, ready, error));
    const media = preferredOf(field(call, 'accept'), operation.response.media);
    return ready(operation, media, exampleFor(request, media?.examples));
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof ToolError && error.code === 'engine-missing';
}

/** Without Prism, a preference can get the usual status, a named example or a 401. Otherwise rethrows the error. */
function wishedFor(request: AcceptedRequest, preference: Preference, ready: Ready, error: unknown): Answer {
  const { response } = request.operation;
  const { code = response.status, exampleKey, dynamic = false } = preference;
  if (!isMissing(error) || dynamic) throw error;
  if (code === 401)
    return problem('token-refused', 'the token is refused, as the request prefers', { headers: CHALLENGE });
  const media = preferredOf(field(request.call, 'accept'), response.media);
  const example =
    exampleKey === undefined
      ? exampleFor(request, media?.examples)
      : media?.examples.find(({ key }) => key === exampleKey);
  if (code !== response.status || !example) throw error;
  return ready(request.operation, media, example);
}

type Ready = (operation: PlannedOperation, media?: PlannedMedia, example?: PlannedExample) => Answer;

function createReady(): Ready {
  const ready = new Map<PlannedExample | PlannedOperation, Answer>();
  return (operation, media, example) => {
    const known = ready.get(example ?? operation);
    if (known) return known;
    const { status, headers } = operation.response;
    const body = media && example ? { type: media.type, bytes: Buffer.from(example.body) } : null;
    const more = example?.warning === undefined ? headers : [...headers, ...warning(example.warning)];
    const isShown = operation.statuses.some((one) => /^(?:[23]|default)/.test(one));
    const made = answer(status, body, example?.provenance ?? (isShown ? operation.located : 'assumed'), more);
    ready.set(example ?? operation, made);
    return made;
  };
}
