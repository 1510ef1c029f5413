import pactum from 'pactum';
import { type FailedExpectation, RUN_HEADERS } from '../../src/run/protocol.ts';
import { joinPointer, parsePointer, pointerOfReference } from '../../src/text/pointer.ts';
import { requireCheck, suite } from './suite.ts';

// Process-global in pactum, but this worker does nothing else. Its output could hold secrets.
pactum.settings.setLogLevel('SILENT');
pactum.settings.setReporterAutoRun(false);
// The way out limits the time of an answer.
pactum.request.setDefaultTimeout(600_000);

interface PactumResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly json: unknown;
}

/** The parts of a spec that pactum does not export. */
interface PactumSpec {
  readonly _request: {
    headers?: Record<string, unknown>;
    readonly url?: string;
    readonly pathParams?: Readonly<Record<string, unknown>>;
  };
  readonly _response: PactumResponse | Error | null;
  readonly _expect: {
    readonly statusCode: unknown;
    readonly customExpectHandlers: readonly { readonly handler: unknown; readonly data?: unknown }[];
    readonly jsonSchema: readonly { readonly value: unknown }[];
    validate?: () => void;
  };
}

const EXPECTED = { success: 'a 2xx status', refused: 'a status that refuses the request' } as const;

// Besides pactum's own: any 2xx, and any other answer. `expect('refused', 'limit')` names the reason.
pactum.handler.addExpectHandler('success', ({ res }) => {
  if (!is2xx(res.statusCode)) throw new Error(`HTTP status ${res.statusCode} is no success`);
});
pactum.handler.addExpectHandler('refused', ({ res }) => {
  if (is2xx(res.statusCode)) throw new Error(`HTTP status ${res.statusCode} is no refusal`);
});

function is2xx(status = 0): boolean {
  return status >= 200 && status < 300;
}

// Before it sends, a spec reports its assertions to the way out. Its error also identifies the answer.
const prototype = Object.getPrototypeOf(pactum.spec()) as { toss(this: PactumSpec): Promise<unknown> };
const { toss } = prototype;
prototype.toss = async function send(this: PactumSpec): Promise<unknown> {
  requireCheck();
  const { _request: request, _expect: expectations } = this;
  const { statusCode: asserted, customExpectHandlers: handlers } = expectations;
  const refused = handlers.find(({ handler }) => handler === 'refused');
  const values = Object.entries(request.pathParams ?? {}).filter(([name]) => request.url?.includes(`{${name}}`));
  request.headers = {
    ...request.headers,
    ...(typeof asserted === 'number' && { [RUN_HEADERS.asserted]: String(asserted) }),
    ...(refused && { [RUN_HEADERS.asserted]: `refused ${refused.data ?? ''}`.trim() }),
    ...(values.length > 0 && {
      [RUN_HEADERS.values]: values.map(([, value]) => encodeURIComponent(String(value))).join('/'),
    }),
  };
  if (suite.rehearsal) expectations.validate = () => {};
  try {
    return await toss.call(this);
  } catch (error) {
    if (error instanceof Error) Object.assign(error, { failure: failureOf(error, this) });
    throw error;
  }
};

function failureOf(error: Error, { _response: response, _expect: expectations }: PactumSpec): FailedExpectation {
  if (response === null || response instanceof Error) {
    const actual = response?.message ?? error.message;
    return { exchange: null, pointer: null, isStatus: false, expected: 'an answer', actual };
  }
  const { statusCode, headers, json } = response;
  const exchange = Number(headers[RUN_HEADERS.exchange] ?? Number.NaN);
  const about = { exchange: Number.isNaN(exchange) ? null : exchange, pointer: null, isStatus: false };
  const { statusCode: asserted, customExpectHandlers: handlers } = expectations;
  const actual = `status ${statusCode}`;
  if (asserted !== null && asserted !== statusCode) {
    return { ...about, isStatus: true, expected: `status ${String(asserted)}`, actual };
  }
  const broken = handlers.find(({ handler }) =>
    handler === 'success' ? !is2xx(statusCode) : handler === 'refused' && is2xx(statusCode),
  );
  if (broken !== undefined) return { ...about, expected: EXPECTED[broken.handler as keyof typeof EXPECTED], actual };
  return { ...about, ...(ofSchema(error.message, json, expectations) ?? ofPlace(error)) };
}

/** A pointer in the validator's notation. */
const LOCATIONS = /"keywordLocation": "#([^"]*)",\s*"instanceLocation": "#([^"]*)"/;

type Difference = Pick<FailedExpectation, 'pointer' | 'expected' | 'actual'>;

function ofSchema(message: string, json: unknown, { jsonSchema }: PactumSpec['_expect']): Difference | null {
  const [, keyword, pointer] = LOCATIONS.exec(message) ?? [];
  if (keyword === undefined || pointer === undefined || !message.startsWith('Response')) return null;
  const wanted = jsonSchema.map(({ value }) => at(value, keyword)).find((value) => value !== undefined);
  const name = keyword.split('/').at(-1);
  const found = at(json, pointer);
  return {
    pointer,
    expected: `${wanted === undefined || typeof wanted === 'object' ? name : `${name} ${String(wanted)}`} at ${pointer || '/'}`,
    actual: found === undefined ? 'nothing' : found === null ? 'null' : Array.isArray(found) ? 'array' : typeof found,
  };
}

/** The value at a pointer, which may lead through references. */
function at(root: unknown, pointer: string): unknown {
  return parsePointer(pointer)?.reduce((node, token) => {
    const member = (node as Readonly<Record<string, unknown>> | undefined | null)?.[token];
    return token === '$ref' && typeof member === 'string' ? at(root, pointerOfReference(member) ?? '') : member;
  }, root);
}

/** Pactum's notation for a place is `$.a.b[0]`. */
function ofPlace({ message }: Error): Difference {
  const [, wanted, path, actual] = /(?:doesn't|not) (.+?) at '\$?([^']*)'(?: but found (.*))?/s.exec(message) ?? [];
  if (wanted === undefined || path === undefined) {
    return { pointer: null, expected: 'the assertion of the check', actual: message };
  }
  const pointer = joinPointer('', ...path.split(/[.[\]]+/).filter((token) => token !== ''));
  return { pointer, expected: `${wanted} at ${pointer || '/'}`, actual: actual ?? 'something else' };
}
