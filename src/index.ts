import './needs-node.ts';

export type { Webhook as ShownWebhook, WebhookOptions } from '../generated/mock/control.ts';
export type { ScenarioAnswer, ScenarioDefinition, ScenarioRule } from '../generated/mock/scenario.ts';
export { judgeCaller } from './audit/judge-caller.ts';
export {
  type AccessToken,
  createTokenProvider,
  TokenError,
  type TokenErrorCode,
  type TokenProvider,
  type TokenProviderOptions,
  withToken,
} from './client/client.ts';
export type { Contract, LoadOptions, Operation } from './contract/contract.ts';
export type { ContractFolder } from './contract/folder.ts';
export { loadContract } from './contract/load.ts';
export { readContractFolder } from './contract/read-folder.ts';
export { diff } from './diff/diff.ts';
export { drive } from './drive/drive.ts';
export { type ErrorCode, EXIT, type ExitCode, type Place, ToolError } from './errors.ts';
export { readJournal } from './journal/read.ts';
export { createJournalWriter, type JournalEntry } from './journal/write.ts';
export type { MockClock } from './mock/clock.ts';
export type { JournalFilter, Mock, MockJournal, MockOptions, MockStatus, ScenarioHandle } from './mock/mock.ts';
export { startMock } from './mock/start-mock.ts';
export { ASSUMED_PARAMETERS } from './mock/tenant/assumed-parameters.ts';
export type { Exchange } from './model/exchange.ts';
export type { Finding, Severity } from './model/finding.ts';
export type { Check, Report, Verdict } from './model/report.ts';
export type { ProxyOptions, RunningProxy } from './proxy/options.ts';
export { startProxy } from './proxy/start-proxy.ts';
export { renderJson } from './report/format.ts';
export { renderText } from './report/text.ts';
export type { RunEvent, VerifyOptions } from './run/options.ts';
export { type PlanRow, plan } from './run/plan.ts';
export { record } from './run/record.ts';
export { verify } from './run/verify.ts';
export type { Provenance } from './schema/schema-document.ts';
