import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Effect } from '../contract/contract.ts';
import { deepFreeze } from '../contract/document-tree.ts';
import { pactumFiles } from '../contract/pactum-files.ts';
import { type Place, ToolError } from '../errors.ts';
import { isInside } from '../files/containment.ts';
import type { RequiredCoverage } from '../model/report.ts';
import type { Variables } from '../model/variables.ts';
import { DIRECT } from '../net/network.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS, type Limits, type Timeouts } from '../net/settings.ts';
import { REQUEST_IDS } from '../report/ticket.ts';
import type { VerifyOptions } from '../run/options.ts';
import { joinPointer } from '../text/pointer.ts';
import { didYouMean } from '../text/suggest.ts';
import { CONFIG_FILE, isUrl, openContract } from './chosen-contract.ts';
import { type Credentials, credentialsFrom, type Environment, tokenFrom } from './environment.ts';
import { type FileSetting, type ReadConfig, readConfigFile } from './file.ts';
import { headersFrom } from './headers.ts';
import { variablesFor } from './named-variables.ts';
import { networkFrom } from './network.ts';
import { fromEnvironment } from './reference.ts';

export interface ConfigFlags {
  readonly target?: string | undefined;
  readonly config?: string | undefined;
  readonly contract?: string | undefined;
  /** A file relative to `cwd`, or a URL. */
  readonly spec?: string | undefined;
  /** `--overlay`, relative to `cwd`. Applied after the overlays of the file. */
  readonly overlays?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
  readonly allow?: Effect | undefined;
  readonly probe?: boolean | undefined;
  readonly requireCoverage?: RequiredCoverage | undefined;
  /** `--report`. If set, it replaces the file's `reports`. */
  readonly reports?: readonly string[] | undefined;
}

export interface LoadConfigOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly flags?: ConfigFlags;
  /** Text of the config file in `flags.config`, before it is written. */
  readonly draft?: string;
  /** False if nothing is sent: settings that only requests need are then not required. True by default. */
  readonly sends?: boolean;
  /** Called only if a document is fetched: reading the signal of a process installs its handler. */
  readonly signal?: () => AbortSignal;
}

type RunSettings = Pick<
  VerifyOptions,
  FileSetting | 'headers' | 'network' | 'tlsVerified' | 'facts' | 'folder' | 'variables'
>;

/** Merged settings. Precedence: flags, environment, file, defaults. Deeply frozen; file names are absolute. */
export interface Config extends Required<RunSettings> {
  readonly file: string | null;
  /** Real path of the user's folder of Pactum files. */
  readonly checks: string | undefined;
  readonly target: string;
  readonly targetFrom: 'flag' | 'environment' | 'file' | 'none';
  /** Only from the environment; null for the embedded mock. */
  readonly credentials: Credentials | null;
  /** Only from the environment; undefined for the embedded mock. */
  readonly token: string | undefined;
  readonly overlays: readonly string[];
  readonly profile: string | undefined;
  readonly baseline: string | undefined;
  /** `FORMAT` or `FORMAT=FILE` with an absolute file; `text` by default. */
  readonly reports: readonly string[];
  /** Seconds. */
  readonly timeouts: Timeouts;
  readonly limits: Limits;
}

/**
 * Merges flags, environment, file and defaults. Throws `ToolError` `config` (with file, line and column if the file
 * is wrong), `usage`, `file-missing` or `file-unreadable`.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<Config> {
  const { cwd, env, flags = {}, draft, sends = true, signal } = options;
  const file = fileToRead(cwd, flags.config);
  const besideFile = file === null ? cwd : dirname(file);
  const fromFile = (name: string): string => resolve(besideFile, name);
  const fromFlag = (name: string): string => resolve(cwd, name);
  const { contract, spec } = flags;
  const chosen = {
    contract: contract && fromFlag(contract),
    spec: spec === undefined || isUrl(spec) ? spec : fromFlag(spec),
  };
  const sources = { folder: besideFile, env, draft };
  const read = file === null ? null : await readConfigFile(file, chosen, sources, signal);
  const values = read?.values ?? {};

  const variables = variablesFor(values);
  const target = sends
    ? await targetOf(flags, env, read, variables)
    : ({ target: 'mock', targetFrom: 'none' } as const);
  const seconds = values.limits?.backoff;

  return deepFreeze({
    file,
    ...target,
    // the embedded mock has its own credentials and must never get real ones
    credentials: target.target === 'mock' ? null : await credentialsOf(env, read, variables),
    token: target.target === 'mock' ? undefined : tokenFrom(env, variables),
    variables,
    // it does not get the header fields of a sandbox either
    headers:
      read !== null && sends && target.target !== 'mock'
        ? await headersFrom(values.headers ?? {}, read.placeOf, env)
        : [],
    network: sends
      ? await networkFrom({
          setting: values.network ?? {},
          placeOf: read?.placeOf ?? null,
          folder: besideFile,
          env,
          target: target.target,
        })
      : DIRECT,
    tlsVerified: env.NODE_TLS_REJECT_UNAUTHORIZED !== '0',
    httpAllowedOn: values.httpAllowedOn ?? [],
    tokenAllowedOn: values.tokenAllowedOn ?? [],
    writesAllowedOn: values.writesAllowedOn ?? [],
    requestIds: values.requestIds ?? REQUEST_IDS,
    effects: values.effects ?? {},
    expendable: values.expendable ?? [],
    severity: await severityOf(read),
    allow: flags.allow ?? values.allow ?? 'read',
    probe: flags.probe ?? values.probe ?? false,
    requireCoverage: flags.requireCoverage ?? values.requireCoverage ?? {},
    repeatReads: values.repeatReads ?? 2,
    discover: values.discover ?? true,
    skip: await placedSkips(read),
    facts: read?.facts ?? {},
    checks: await checksOf(read, besideFile),
    folder: read?.folder ?? (await openContract(chosen, undefined, { ...sources, setting: {}, placeOf: null }, signal)),
    overlays: [...(values.overlays ?? []).map(fromFile), ...(flags.overlays ?? []).map(fromFlag)],
    parameters: values.parameters ?? {},
    profile: values.profile,
    baseline: flags.baseline === undefined ? values.baseline && fromFile(values.baseline) : fromFlag(flags.baseline),
    reports:
      flags.reports !== undefined && flags.reports.length > 0
        ? flags.reports.map((report) => withAbsoluteFile(report, fromFlag))
        : (values.reports ?? ['text']).map((report) => withAbsoluteFile(report, fromFile)),
    timeouts: { ...DEFAULT_TIMEOUTS, ...values.timeouts },
    limits: { ...DEFAULT_LIMITS, ...values.limits, ...(seconds !== undefined && { backoff: seconds * 1000 }) },
  });
}

async function placedSkips(read: ReadConfig | null): Promise<NonNullable<VerifyOptions['skip']>> {
  const entries = Object.entries(read?.values.skip ?? {}).map(async ([id, skip]) => {
    const place = await read?.placeOf(joinPointer('/skip', id), 'key');
    return [id, { ...skip, ...(place && { place }) }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function checksOf(read: ReadConfig | null, besideFile: string): Promise<string | undefined> {
  const checks = read?.values.checks;
  if (read === null || checks === undefined) return undefined;
  const folder = await realpath(resolve(besideFile, checks)).catch(() => null);
  const isBelow = folder !== null && isInside(await realpath(besideFile), folder);
  if (isBelow && (await pactumFiles(folder)).length > 0) return folder;
  throw new ToolError('config', `${checks} is no folder below this file with Pactum files.`, {
    place: await read.placeOf('/checks'),
    hint: 'Their names end in .contract.ts or .contract.js. The folder is compared after its links are resolved.',
  });
}

async function credentialsOf(
  env: Environment,
  read: ReadConfig | null,
  variables: Variables,
): Promise<Credentials | null> {
  for (const key of read?.values.credentials === undefined ? [] : (['username', 'password'] as const)) {
    fromEnvironment(variables[key], env, await read?.placeOf(`/credentials/${key}`));
  }
  return credentialsFrom(env, variables);
}

async function severityOf(read: ReadConfig | null): Promise<NonNullable<VerifyOptions['severity']>> {
  const severity = read?.values.severity ?? {};
  if (read === null || Object.keys(severity).length === 0) return severity;
  const { ALL_RULES, ruleName } = await import('../judge/rules.ts');
  const known = ALL_RULES.map(({ id }) => ruleName(id, read.folder));
  const unknown = Object.keys(severity).find((rule) => !known.includes(rule));
  if (unknown === undefined) return severity;
  const place = await read.placeOf(`/severity/${unknown}`, 'key');
  throw new ToolError('config', `There is no rule ${unknown}.`, { place, hint: didYouMean(unknown, known).trim() });
}

function fileToRead(cwd: string, flag: string | undefined): string | null {
  const file = resolve(cwd, flag ?? CONFIG_FILE);
  return flag !== undefined || existsSync(file) ? file : null;
}

async function targetOf(
  flags: ConfigFlags,
  env: Environment,
  read: ReadConfig | null,
  variables: Variables,
): Promise<Pick<Config, 'target' | 'targetFrom'>> {
  if (flags.target !== undefined) {
    const target = flags.target === 'mock' ? 'mock' : parseBaseUrl(flags.target, '--target', 'usage');
    return { target, targetFrom: 'flag' };
  }
  const fromEnv = env[variables.baseUrl];
  if (fromEnv === '') {
    throw new ToolError('config', `${variables.baseUrl} is empty.`, { hint: `Set it, remove it, or use --target.` });
  }
  if (fromEnv !== undefined) {
    return { target: parseBaseUrl(fromEnv, variables.baseUrl, 'config'), targetFrom: 'environment' };
  }
  const fromFile = read?.values.target?.baseUrl;
  if (read === null || fromFile === undefined) {
    throw new ToolError('config', 'No target is set.', {
      hint: `Use --target URL (or --target mock for the embedded mock), set ${variables.baseUrl}, or set target.baseUrl in ${CONFIG_FILE}.`,
    });
  }
  const place = await read.placeOf('/target/baseUrl');
  return { target: parseBaseUrl(fromFile, 'target.baseUrl', 'config', place), targetFrom: 'file' };
}

function withAbsoluteFile(report: string, absolute: (name: string) => string): string {
  const cut = report.indexOf('=');
  return cut < 0 || cut === report.length - 1 ? report : `${report.slice(0, cut)}=${absolute(report.slice(cut + 1))}`;
}

/** An http or https URL without credentials, query, fragment and trailing slash. Messages never quote it. */
function parseBaseUrl(text: string, name: string, code: 'usage' | 'config', place?: Place): string {
  const refuse = (message: string, hint?: string): ToolError =>
    new ToolError(code, `${name}: ${message}`, { place, hint });
  const url = URL.parse(text);
  if (url === null) throw refuse('This is no URL.', 'It looks like https://sandbox.example.com.');
  if (url.username !== '' || url.password !== '') {
    throw refuse('A URL must not hold credentials.', 'They come from environment variables.');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('It must begin with https:// or http://.');
  if (url.search !== '' || url.hash !== '') throw refuse('It must not have a query or a fragment.');
  return url.href.replace(/\/+$/, '');
}
