export { judgeCaller } from './audit/judge-caller.ts';
export {
  type AccessToken,
  createTokenProvider,
  TokenError,
  type TokenErrorCode,
  type TokenProvider,
  type TokenProviderOptions,
  withToken,
} from './auth/client.ts';
export type { Finding, Severity } from './drift/finding.ts';
export { type ErrorCode, EXIT, type ExitCode, type Place, ToolError } from './errors.ts';
export type { Exchange } from './http/exchange.ts';
export { readJournal } from './http/journal/read.ts';
export { createJournalWriter, type JournalEntry } from './http/journal.ts';
export { ASSUMED_PARAMETERS } from './mock/assumed-parameters.ts';
export type { MockClock } from './mock/clock.ts';
export type { JournalFilter, MockJournal } from './mock/control/journal.ts';
export type { Mock, MockOptions, MockStatus } from './mock/mock.ts';
export type { ScenarioDefinition, ScenarioRule } from './mock/scenarios/definition.ts';
export type { ScenarioHandle } from './mock/scenarios/scenarios.ts';
export { startMock } from './mock/start-mock.ts';
export type { ShownWebhook, WebhookOptions } from './mock/webhooks/webhooks.ts';
export type { ProxyOptions, RunningProxy } from './proxy/options.ts';
export { startProxy } from './proxy/start-proxy.ts';
export { renderJson } from './report/json.ts';
export type { Check, Report, Verdict } from './report/report.ts';
export { renderText } from './report/text.ts';
export { diff } from './runner/diff.ts';
export { drive } from './runner/drive/drive.ts';
export type { PlanRow, RunEvent, VerifyOptions } from './runner/options.ts';
export { record } from './runner/record.ts';
export { plan, verify } from './runner/verify.ts';
export type { Contract, LoadOptions, Operation, Provenance } from './spec/contract.ts';
export { type ContractFolder, readContractFolder } from './spec/folder.ts';
export { loadContract } from './spec/load.ts';
