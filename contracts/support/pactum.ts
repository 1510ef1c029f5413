import pactum from 'pactum';
import { RUN_HEADERS } from '../../src/runner/suite.ts';
import { suite } from './suite.ts';

/** An answer of the gateway. */
export interface GatewayAnswer {
  readonly status: number;
  readonly json: unknown;
  /** Why the check ends here, or null. */
  readonly stopped: string | null;
}

// Process-global in pactum; this worker does nothing else. What it would print may hold what must not be printed.
pactum.settings.setLogLevel('SILENT');
pactum.settings.setReporterAutoRun(false);
// Times are the gateway's business: it answers in bounded time.
pactum.request.setDefaultTimeout(600_000);

interface PactumResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly json: unknown;
}

/** Asks the gateway for something, by the words of its path. What it refuses is a mistake in a contract file. */
export async function askGateway(...words: readonly (string | number)[]): Promise<GatewayAnswer> {
  const spec = pactum.spec();
  spec.post(`${suite.gateway}/${words.map(encodeURIComponent).join('/')}`);
  spec.withHeaders(RUN_HEADERS.key, suite.key);
  spec.inspect(false);
  const { statusCode, headers, json } = (await spec.toss()) as unknown as PactumResponse;
  const said = (name: string): string | null => {
    const value = headers[name];
    return typeof value === 'string' ? decodeURIComponent(value) : null;
  };
  const refused = said(RUN_HEADERS.refused);
  if (refused !== null) throw new Error(refused);
  return { status: statusCode, json, stopped: said(RUN_HEADERS.stopped) };
}
