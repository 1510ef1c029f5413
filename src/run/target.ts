import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { basePaths } from '../contract/base-path.ts';
import { circumstancesOf } from '../contract/conditions.ts';
import type { Contract, LoadOptions, Operation } from '../contract/contract.ts';
import { assumedOf } from '../contract/contract-file.ts';
import { withDeclaredReads } from '../contract/effects.ts';
import { secretNames } from '../contract/secrets.ts';
import type { PolicySettings } from '../egress/policy.ts';
import { ToolError } from '../errors.ts';
import { type JudgeLimits, type JudgeOptions, refutedAssumptions } from '../judge/judge.ts';
import { loadMerged } from '../learn/load-merged.ts';
import type { Mock } from '../mock/mock.ts';
import { DEFAULT_CREDENTIALS } from '../mock/tokens/token-endpoint.ts';
import { type Exchange, header } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import { PROVENANCE_HEADER } from '../model/mock-answer.ts';
import { secretsOfHeaders } from '../net/own-headers.ts';
import { createRedactor } from '../redact/redact.ts';
import { pick } from '../schema/schema-facts.ts';
import type { VerifyOptions } from './options.ts';
import { inventedParameters, type Values } from './request.ts';

/** Controls of the embedded mock for the suite. `reset` hides the changes of earlier checks. */
export type MockControls = Pick<Mock, 'tokens' | 'refuseNext' | 'reset'>;

export interface Target extends AsyncDisposable {
  readonly kind: 'mock' | 'url';
  /** Started by this run, in this process. */
  readonly embedded: boolean;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly host: string;
  readonly contract: Contract;
  /**
   * The contract with the mock's assumptions below the overlays, loaded on first use; null if that is the contract
   * itself. On a URL, it locates no operations. Rejects with a ToolError if assumptions in the overlays contradict the
   * mock's.
   */
  readonly assumptions: (() => Promise<Contract>) | null;
  readonly credentials: { readonly username: string; readonly password: string } | null;
  /** A ready bearer token; undefined for the embedded mock. */
  readonly token: string | undefined;
  readonly parameters: Values;
  /** Further values for an operation: what the embedded mock accepts, or what discovery found for a read. */
  readonly filled: (operation: Operation) => Values;
  /** Members of a body that name a record of the embedded mock, by operationId. */
  readonly bodies: Readonly<Record<string, unknown>>;
  readonly mock: MockControls | null;
  /** Ids that play a role in the embedded mock. */
  readonly roles: Values;
  /** Records of the embedded mock that do not meet a condition, by condition and path parameter. */
  readonly failing: Readonly<Record<string, Values>>;
}

export type TargetOptions = Pick<
  VerifyOptions,
  'target' | 'folder' | 'overlays' | 'signal' | 'effects' | 'parameters' | 'credentials' | 'token'
> & {
  /** Whether a target without a path gets the path of the document's first server. */
  readonly addBasePath?: boolean;
};

/**
 * Starts the embedded mock, or uses a URL as it is.
 *
 * @throws ToolError `config` for a target that is not an http(s) URL
 */
export async function openTarget(options: TargetOptions): Promise<Target> {
  const { target, folder, overlays = [], signal } = options;
  if (target === undefined) {
    throw new ToolError('config', 'No target is set.', { hint: 'Set target to a base URL, or to mock.' });
  }
  const load = { ...(folder && { folder }), ...(signal && { signal }), overlays };
  return target === 'mock' ? embeddedTarget(load, options) : urlTarget(target, load, options);
}

/** File handles for both ends of the connections between the suite and the embedded mock. */
const HANDLES = 32;

/**
 * A server without handles closes new connections without an error, which looks like an outage.
 *
 * @throws Error `EMFILE` or `ENFILE` if this process cannot open them
 */
async function requireHandles(): Promise<void> {
  const opened = Array.from({ length: HANDLES }, () => open(fileURLToPath(import.meta.url)));
  const results = await Promise.allSettled(opened);
  await Promise.all(results.map((result) => result.status === 'fulfilled' && result.value.close()));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function embeddedTarget(load: LoadOptions, options: TargetOptions): Promise<Target> {
  await requireHandles();
  const { startMock } = await import('../mock/start-mock.ts');
  const mock = await startMock({
    ...load,
    credentials: DEFAULT_CREDENTIALS,
    // A configuration may name ids of a sandbox. The mock then uses them.
    seedIds: options.parameters ?? {},
  });
  const contract = await mock.contract().catch(async (error) => {
    await mock.close();
    throw error;
  });
  const { roles } = mock;
  const stated = { ...roles.parameters, ...options.parameters };
  const inventedFor = ({ operationId }: Operation): Values => inventedParameters(contract, operationId);
  const isOpen = (name: string): boolean => !Object.hasOwn(options.parameters ?? {}, name);
  return {
    kind: 'mock',
    embedded: true,
    baseUrl: mock.url,
    host: new URL(mock.url).host,
    contract: withDeclaredReads(contract, options.effects),
    assumptions: null,
    credentials: mock.credentials,
    token: undefined,
    parameters: Object.assign({}, ...contract.operations.map(inventedFor), stated),
    filled: (operation) => ({
      ...pick(inventedFor(operation), (name) => !Object.hasOwn(stated, name)),
      ...pick(roles.paths[operation.operationId] ?? {}, isOpen),
    }),
    bodies: roles.bodies,
    mock,
    roles: roles.ids,
    failing: roles.failing,
    [Symbol.asyncDispose]: () => mock.close(),
  };
}

async function urlTarget(text: string, load: LoadOptions, options: TargetOptions): Promise<Target> {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new ToolError('config', 'The target must be `mock` or an absolute http(s) URL.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new ToolError('config', 'The URL of the target must have no credentials, no query and no fragment.');
  }
  const declared = async (more: Pick<LoadOptions, 'assumed'>): Promise<Contract> =>
    withDeclaredReads(await loadMerged({ ...load, ...more }), options.effects);
  let assumptions: Promise<Contract> | undefined;
  const contract = await declared({});
  const path = url.pathname.replace(/\/+$/, '') || (options.addBasePath ? basePaths(contract)[0] : undefined);
  return {
    kind: 'url',
    embedded: false,
    baseUrl: `${url.origin}${path ?? ''}`,
    host: url.host,
    contract,
    assumptions: () => (assumptions ??= declared({ assumed: true })),
    credentials: options.credentials ?? null,
    token: options.token,
    parameters: options.parameters ?? {},
    filled: () => ({}),
    bodies: {},
    mock: null,
    roles: {},
    failing: {},
    [Symbol.asyncDispose]: async () => {},
  };
}

export type GuardOptions = Pick<
  VerifyOptions,
  'headers' | 'network' | 'redactor' | 'allow' | 'writesAllowedOn' | 'expendable' | 'probe'
>;

/** The policy, header fields and redaction that a run and a proxy apply to requests. */
export function guardsOf(
  { embedded, host, credentials, token, contract }: Target,
  options: GuardOptions,
  isMock: () => boolean,
  tokenReady = false,
) {
  const own = embedded ? [] : (options.headers ?? []);
  const { values, names } = secretsOfHeaders(own);
  const ownSecrets = token === undefined ? values : [...values, token];
  const secrets = [...ownSecrets, ...(options.network?.secrets ?? [])];
  const known = credentials === null ? [] : [credentials];
  const redactor = options.redactor ?? createRedactor({ credentials: known, secrets });
  redactor.learnNames([...secretNames(contract), ...names]);
  const settings: PolicySettings = {
    allow: options.allow ?? 'read',
    host,
    writesAllowedOn: options.writesAllowedOn ?? [],
    expendable: options.expendable ?? [],
    probe: options.probe ?? false,
    tokenReady,
    embedded,
    get mock() {
      return isMock();
    },
  };
  return { own, ownSecrets, redactor, settings };
}

export function isOfMock({ response }: Exchange): boolean {
  return header(response?.headers ?? [], PROVENANCE_HEADER) !== undefined;
}

/** A URL whose answers identify it as a mock. Assumed paths may be called; the effects policy does not change. */
export async function asMock(target: Target, options: Pick<VerifyOptions, 'parameters'>): Promise<Target> {
  const contract = (await target.assumptions?.()) ?? target.contract;
  const { partsOfContract } = await import('../mock/tenant/read-parts.ts');
  const { entities } = await partsOfContract(contract);
  const parameters = { ...entities.file.roles?.parameters, ...options.parameters };
  return { ...target, kind: 'mock', contract, assumptions: null, parameters };
}

export function judgedBy(
  { contract, kind, parameters, failing }: Target,
  { facts, severity = {} }: Pick<VerifyOptions, 'facts' | 'severity'>,
): Pick<JudgeOptions, 'contract' | 'circumstances' | 'severities'> {
  const { facts: groups, assumed } = contract.folder;
  const circumstances = circumstancesOf({ groups, facts, failing, parameters, assumed: assumedOf(assumed, kind) });
  return { contract, circumstances, severities: severity };
}

/** The assumptions of the mock that these answers refute. Empty if the assumptions could not be read. */
export async function assumptionsRefutedBy(
  { contract, assumptions }: Target,
  judged: Pick<JudgeOptions, 'calls' | 'redact'>,
  found: readonly Finding[],
  limits?: JudgeLimits,
): Promise<Finding[]> {
  const assumed = await assumptions?.().catch(() => null);
  return assumed ? refutedAssumptions({ contract, ...judged }, assumed, found, limits) : [];
}
