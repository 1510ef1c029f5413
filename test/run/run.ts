import type { Report } from '../../src/model/report.ts';
import type { VerifyOptions } from '../../src/run/options.ts';
import { verify } from '../../src/run/verify.ts';
import { CREDENTIALS, PARAMETERS, type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts';

/** A run against a stand-in, with minimal waiting. */
export async function run(
  options: SandboxOptions & Omit<VerifyOptions, 'target' | 'credentials' | 'token'> = {},
): Promise<[Report, Sandbox]> {
  await using sandbox = await startSandbox(options);
  const { token: _, ...settings } = options;
  const report = await verify({
    target: sandbox.url,
    credentials: CREDENTIALS,
    parameters: PARAMETERS,
    limits: { backoff: 5 },
    timeouts: { firstByte: 4, call: 8, dead: 10 },
    ...settings,
  });
  return [report, sandbox];
}

/** For targets that do not answer. All other tests use times that suit a busy machine. */
export const SHORT = { firstByte: 0.4, call: 2, dead: 1 } as const;

/** Findings except infos, as `rule operation pointer`. */
export const found = (report: Report): string[] =>
  report.findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ rule, operationId, pointer }) => `${rule} ${operationId} ${pointer}`);
