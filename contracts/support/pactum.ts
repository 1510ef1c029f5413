import pactum from 'pactum';
import { isJsonType, mediaType } from '../../src/drift/media.ts';
import { RUN_HEADERS } from '../../src/runner/suite.ts';
import { validate } from './schema.ts';

/** A request to the gateway. */
export interface GatewayRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** Pointer in the documented bundle of the schema that a good answer is held to. */
  readonly schema: string | null;
}

/** An answer of the target, as far as a check may see it. */
export interface Answer {
  readonly status: number;
  readonly json: unknown;
  /** Why there is no answer; then the rest means nothing. */
  readonly notSent: string | null;
}

// Process-global in pactum; this worker does nothing else. What it would print may hold what must not be printed.
pactum.settings.setLogLevel('SILENT');
pactum.settings.setReporterAutoRun(false);
pactum.settings.setJsonSchemaAdapter({ validate });
// Times are the gateway's business: it answers in bounded time.
pactum.request.setDefaultTimeout(600_000);

interface PactumResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly json: unknown;
  readonly text: string;
}

/** Sends one request by pactum and asserts the documented schema on a JSON answer of 2xx. */
export async function exchangeWithGateway(request: GatewayRequest): Promise<Answer> {
  const spec = pactum.spec();
  spec
    .withMethod(request.method)
    .withPath(request.url)
    .withHeaders({ ...request.headers });
  if (request.form !== undefined) {
    for (const [key, value] of Object.entries(request.form)) spec.withForm(key, value);
  } else if (request.json !== undefined) {
    spec.withHeaders('content-type', 'application/json').withBody(JSON.stringify(request.json));
  }
  spec.inspect(false);
  const response = (await spec.toss()) as unknown as PactumResponse;
  const good = response.statusCode >= 200 && response.statusCode < 300;
  // An answer that is empty, of another type or unreadable is for the judge.
  if (request.schema !== null && good && holdsJson(response)) {
    pactum.expect(response).to.have.jsonSchema({ $ref: request.schema });
  }
  const notSent = response.headers[RUN_HEADERS.notSent];
  return {
    status: response.statusCode,
    json: response.json,
    notSent: typeof notSent === 'string' ? decodeURIComponent(notSent) : null,
  };
}

function holdsJson({ headers, text }: PactumResponse): boolean {
  if (!isJsonType(mediaType(String(headers['content-type'] ?? '')))) return false;
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}
