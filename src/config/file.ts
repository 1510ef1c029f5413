import { dirname, resolve } from 'node:path';
import { parsePlaced, readPlaced, refuseFirst } from '../contract/checked-file.ts';
import type { FactGroup, FactMember, StatedFacts } from '../contract/contract-file.ts';
import { ownFolder } from '../contract/folder.ts';
import { ToolError } from '../errors.ts';
import { CONFIG } from '../files/read.ts';
import { compileSchema, type FileProblem, type FileSchema, publishedSchema, schemaPaths } from '../files/schema.ts';
import { variablesOf } from '../model/variables.ts';
import type { Limits, Timeouts } from '../net/settings.ts';
import { isSensitiveKey } from '../redact/keys.ts';
import type { VerifyOptions } from '../run/options.ts';
import { joinPointer } from '../text/pointer.ts';
import { didYouMean } from '../text/suggest.ts';
import { type ChosenContract, isUrl, openContract } from './chosen-contract.ts';
import type { CredentialVariables } from './environment.ts';
import type { HeaderSetting } from './headers.ts';
import type { NetworkSetting, NetworkSources } from './network.ts';

export type FileSetting =
  | 'requestIds'
  | 'httpAllowedOn'
  | 'tokenAllowedOn'
  | 'writesAllowedOn'
  | 'effects'
  | 'expendable'
  | 'allow'
  | 'probe'
  | 'requireCoverage'
  | 'repeatReads'
  | 'discover'
  | 'skip'
  | 'parameters'
  | 'severity';

/** `banking-api.config.yaml` as written in the file (`schemas/config.schema.json`). */
export interface ConfigFile extends Pick<VerifyOptions, FileSetting> {
  readonly target?: { readonly baseUrl?: string };
  /** `env:NAME` each. */
  readonly credentials?: CredentialVariables;
  /** Prefix of the environment variables. */
  readonly environment?: string;
  readonly contract?: string;
  readonly spec?: string;
  readonly contractRoot?: string;
  readonly checks?: string;
  readonly network?: NetworkSetting;
  readonly headers?: Readonly<Record<string, HeaderSetting>>;
  readonly overlays?: readonly string[];
  readonly profile?: string;
  readonly baseline?: string;
  readonly reports?: readonly string[];
  readonly timeouts?: Partial<Timeouts>;
  /** As for a run, except that `backoff` is in seconds. */
  readonly limits?: Partial<Limits>;
}

export type ReadConfig = Awaited<ReturnType<typeof readConfigFile>>;

/**
 * Reads and checks a config file.
 *
 * @param chosen contract with the facts that the file may state. Default: the one that the file names
 * @param sources with the text of the file as `draft`, if it is not written yet
 * @throws ToolError `config` with file, line and column, or `file-missing`, `file-unreadable`.
 */
export async function readConfigFile(
  file: string,
  chosen: ChosenContract,
  { draft, ...sources }: Pick<NetworkSources, 'folder' | 'env'> & { readonly draft: string | undefined },
  signal?: () => AbortSignal,
) {
  const read = draft === undefined ? readPlaced(file, CONFIG) : parsePlaced(draft, file, CONFIG.code);
  const { value: values, placeOf } = await read;
  const credential = pointerOfCredential(values);
  if (credential !== undefined) {
    throw new ToolError('config', 'Credentials do not belong into a file.', {
      place: await placeOf(credential, 'key'),
      hint: `${whereFrom(credential, values as ConfigFile)}; if this one was real, change it.`,
    });
  }
  const { contract, spec, contractRoot, network: setting = {} } = values as ConfigFile;
  const fromFile = (path: unknown): string | undefined =>
    typeof path === 'string' ? resolve(dirname(file), path) : undefined;
  const isChosen = chosen.contract !== undefined || chosen.spec !== undefined;
  if (contract !== undefined && spec !== undefined) {
    throw new ToolError('config', 'A contract is a folder or one document: name contract or spec, not both.', {
      place: await placeOf('/spec', 'key'),
    });
  }
  if (isUrl(String(spec))) {
    throw new ToolError('config', 'spec must be a file.', {
      place: await placeOf('/spec'),
      hint: 'Only the flag --spec takes a URL.',
    });
  }
  const folder = await openContract(
    isChosen ? chosen : { contract: fromFile(contract), spec: fromFile(spec) },
    fromFile(contractRoot),
    { ...sources, setting, placeOf },
    signal,
  );
  const schema = configSchema(await publishedSchema('config'), folder.facts);
  const problems = (await compileSchema(schema))(values);
  await refuseFirst(problems, 'config', placeOf, (problem) => hintFor(problem, values, schema));
  const facts = Object.entries(values as StatedFacts).filter(([key]) => Object.hasOwn(folder.facts, key));
  return { values: values as ConfigFile, facts: Object.fromEntries(facts), folder, placeOf };
}

const NAMED_FREELY: readonly string[] = ['/parameters', '/headers', '/effects', '/severity'];

function pointerOfCredential(value: unknown, pointer = ''): string | undefined {
  if (typeof value !== 'object' || value === null || NAMED_FREELY.includes(pointer)) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const here = joinPointer(pointer, key);
    const isNamed = isReference(inner) || (here === '/credentials' && typeof inner === 'object');
    if (!Array.isArray(value) && isSensitiveKey(key) && !isNamed) return here;
    const found = pointerOfCredential(inner, here);
    if (found !== undefined) return found;
  }
  return undefined;
}

function whereFrom(pointer: string, { environment }: ConfigFile): string {
  const { username, password } = variablesOf(typeof environment === 'string' ? environment : undefined);
  if (pointer.startsWith('/credentials/')) return 'Write env:NAME';
  return pointer === '/network/passphrase'
    ? 'Write passphrase: env:NAME, or file:PATH'
    : `They come from ${username} and ${password}`;
}

function isReference(value: unknown): boolean {
  return typeof value === 'string' && /^(?:env|file):./.test(value);
}

function hintFor(problem: FileProblem, values: unknown, schema: FileSchema): string | undefined {
  if (problem.unknownKey !== undefined) {
    const { key, known } = problem.unknownKey;
    const near = didYouMean(key, known).trim();
    if (near !== '') return near;
    const elsewhere = schemaPaths(schema).find((path) => path.split('.').at(-1) === key);
    return elsewhere === undefined ? `Known here: ${known.join(', ')}.` : `Did you mean ${elsewhere}?`;
  }
  if (problem.pointer.startsWith('/headers') && /form/.test(problem.message)) {
    return 'The name of a header field has no spaces and colons, its value no line breaks.';
  }
  // an id like 0042 would lose its zeros as a number
  const wantsString = problem.message.includes('must be string');
  const actual = problem.pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, segment) => (node as Record<string, unknown> | null)?.[segment], values);
  return wantsString && (typeof actual === 'number' || typeof actual === 'boolean') ? 'Put it in quotes.' : undefined;
}

/** The published schema of a config file, with the facts of the contract in place of the package's own. */
function configSchema(published: FileSchema, groups: Readonly<Record<string, FactGroup>>): FileSchema {
  const properties = Object.entries(published.properties ?? {}).filter(
    ([key]) => !Object.hasOwn(ownFolder.facts, key) && !Object.hasOwn(groups, key),
  );
  const facts = Object.entries(groups).map(([key, group]) => [key, factSchema(group)]);
  return { ...published, properties: Object.fromEntries([...properties, ...facts]) };
}

export function factSchema({ of, members }: FactGroup): FileSchema {
  return {
    description: `Facts about the record in parameters.${of} for which the reference has no field. Checks that need these facts are skipped without them.`,
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(members).map(([name, member]) => [name, memberSchema(member)])),
  };
}

function memberSchema({ type, role }: FactMember): FileSchema {
  if (type !== 'string') return { type };
  return role === 'currency' ? { type, pattern: '^[A-Z]{3}$' } : { type, minLength: 1 };
}
