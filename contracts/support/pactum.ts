import { isDeepStrictEqual } from 'node:util';
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

interface AtPath {
  readonly path: string;
  readonly value: unknown;
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
    readonly jsonSchemaQuery: readonly AtPath[];
    readonly json: readonly unknown[];
    readonly jsonQuery: readonly AtPath[];
    readonly jsonLengthQuery: readonly AtPath[];
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
  return { ...about, ...differenceOf(error, json, expectations) };
}

/** A pointer in the validator's notation. */
const LOCATIONS = /"keywordLocation": "#([^"]*)",\s*"instanceLocation": "#([^"]*)"/;

type Difference = Pick<FailedExpectation, 'pointer' | 'expected' | 'actual'>;

function differenceOf(error: Error, json: unknown, expectations: PactumSpec['_expect']): Difference {
  const { message } = error;
  return (
    ofSchema(message, json, expectations) ?? ofLength(message, json, expectations) ?? ofValue(error, json, expectations)
  );
}

function ofSchema(
  message: string,
  json: unknown,
  { jsonSchema, jsonSchemaQuery }: PactumSpec['_expect'],
): Difference | null {
  const [, keyword, instance] = LOCATIONS.exec(message.replace(/\\(?:n|(?="))/g, '')) ?? [];
  if (keyword === undefined || instance === undefined || !message.startsWith('Response')) return null;
  const [, path = ''] = / schema at (.*?): /.exec(message) ?? [];
  const pointer = `${pointerOfPath(path)}${instance}`;
  const schemas = path === '' ? jsonSchema : jsonSchemaQuery.filter((one) => one.path === path);
  const wanted = schemas.map(({ value }) => at(value, keyword)).find((value) => value !== undefined);
  const name = keyword.split('/').at(-1);
  const found = at(json, pointer);
  return {
    pointer,
    expected: `${wanted === undefined || typeof wanted === 'object' ? name : `${name} ${String(wanted)}`} at ${pointer || '/'}`,
    actual: kindOf(found),
  };
}

function ofLength(message: string, json: unknown, { jsonLengthQuery }: PactumSpec['_expect']): Difference | null {
  const [, length, wanted] = /^JSON Length (\d+) (?:!== )?(.+)$/.exec(message) ?? [];
  if (length === undefined) return null;
  const queried = jsonLengthQuery.map(({ path }) => pointerOfPath(path));
  const pointer =
    queried.find((one) => (at(json, one) as { length?: unknown } | null)?.length === Number(length)) ?? '';
  return { pointer, expected: `length ${wanted} at ${pointer || '/'}`, actual: `length ${length}` };
}

/** The first different member. A body or a text of the target may hold secrets, so neither is repeated. */
function ofValue(error: Error, body: unknown, { json, jsonQuery }: PactumSpec['_expect']): Difference {
  if (!('generatedMessage' in error) || error.generatedMessage !== true) return ofPlace(error, body);
  const { expected, actual } = error as Error & { readonly expected?: unknown; readonly actual?: unknown };
  const path = json.includes(expected) ? '' : jsonQuery.find(({ value }) => value === expected)?.path;
  const different = firstDifference(actual, expected);
  const pointer = path === undefined ? null : `${pointerOfPath(path)}${different}`;
  const wanted = textOf(at(expected, different));
  return {
    pointer,
    expected: `${wanted} at ${(pointer ?? different) || '/'}`,
    actual: foundText(at(actual, different)),
  };
}

function firstDifference(actual: unknown, expected: unknown): string {
  if (!isContainer(actual) || !isContainer(expected) || Array.isArray(actual) !== Array.isArray(expected)) return '';
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  const name = [...names].find((one) => !isDeepStrictEqual(actual[one], expected[one]));
  return name === undefined ? '' : `${joinPointer('', name)}${firstDifference(actual[name], expected[name])}`;
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function foundText(value: unknown): string {
  return typeof value === 'string' ? 'another string' : textOf(value);
}

function textOf(value: unknown): string {
  return isContainer(value) || value === undefined ? kindOf(value) : JSON.stringify(value);
}

function kindOf(value: unknown): string {
  return value === undefined ? 'nothing' : value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/** The value at a pointer, which may lead through references. */
function at(root: unknown, pointer: string): unknown {
  return parsePointer(pointer)?.reduce((node, token) => {
    const member = (node as Readonly<Record<string, unknown>> | undefined | null)?.[token];
    return token === '$ref' && typeof member === 'string' ? at(root, pointerOfReference(member) ?? '') : member;
  }, root);
}

/** Pactum's notation for a place is `$.a.b[0]`. */
function pointerOfPath(path: string): string {
  return joinPointer(
    '',
    ...path
      .replace(/^\$/, '')
      .split(/[.[\]]+/)
      .filter((token) => token !== ''),
  );
}

function ofPlace({ message }: Error, body: unknown): Difference {
  const [, wanted, path] = /(?:doesn't|not) (?:have )?(?:a )?(.+?) at '([^']*)'/s.exec(message) ?? [];
  if (wanted === undefined || path === undefined) {
    return { pointer: null, expected: 'the assertion of the check', actual: message };
  }
  const pointer = pointerOfPath(path);
  const found = at(body, pointer);
  return {
    pointer,
    expected: `${wanted} at ${pointer || '/'}`,
    actual: found === undefined ? 'something else' : foundText(found),
  };
}
