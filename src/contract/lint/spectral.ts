import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ToolError } from '../../errors.ts';
import { isInside, realPathBelow } from '../../files/containment.ts';
import { missingEngine } from '../../files/missing-engine.ts';
import { PART } from '../../files/read.ts';
import { packageRoot } from '../../package-root.ts';
import { readPlaced } from '../checked-file.ts';
import type { Contract } from '../contract.ts';
import { type ContractFolder, ownFolder } from '../folder.ts';

interface SpectralResult {
  readonly code: string | number;
  readonly message: string;
  readonly path: readonly (string | number)[];
  /** 0 error, 1 warning, 2 information, 3 hint. */
  readonly severity: number;
}

interface Engine {
  readonly core: {
    readonly Spectral: new (options: {
      readonly resolver: unknown;
    }) => {
      setRuleset(ruleset: unknown): void;
      run(document: unknown): Promise<SpectralResult[]>;
    };
    readonly Document: new (text: string, parser: unknown, source?: string) => unknown;
  };
  readonly json: unknown;
  readonly resolver: unknown;
  loadRuleset(file: string, folder?: ContractFolder): Promise<unknown>;
  /** Cached for the process, because bundling a ruleset takes a second. */
  readonly rulesets: Map<string, Promise<unknown>>;
}

let engine: Engine | undefined;

/** The rules for any contract. A folder extends them with a ruleset beside its document. */
const schemas = join(packageRoot, 'schemas');
const documentRuleset = join(schemas, 'ruleset', 'document.yaml');
const everyRuleset = join(schemas, 'ruleset', 'ruleset.yaml');

function rulesetOf({ spec, isDocument }: ContractFolder): string {
  if (isDocument) return documentRuleset;
  const own = join(dirname(spec), 'ruleset.yaml');
  return fs.existsSync(own) ? own : everyRuleset;
}

/**
 * Runs Spectral over a bundled document, with the ruleset of its folder.
 * @throws ToolError `engine-missing` if `@stoplight/spectral-cli` is not installed
 */
export async function runSpectral({ document, folder }: Contract): Promise<readonly SpectralResult[]> {
  engine ??= requireEngine(import.meta.url);
  const spectral = new engine.core.Spectral({ resolver: engine.resolver });
  const file = rulesetOf(folder);
  const ruleset = engine.rulesets.get(file) ?? engine.loadRuleset(file, folder);
  engine.rulesets.set(file, ruleset);
  ruleset.catch(() => engine?.rulesets.delete(file));
  spectral.setRuleset(await ruleset);
  const results = await spectral.run(new engine.core.Document(JSON.stringify(document), engine.json, 'contract.json'));
  // Loading the contract checked all references. The remaining ones are data in examples.
  return results.filter(({ code }) => code !== 'invalid-ref');
}

/**
 * The dependency is the command-line package. Its parts are resolved from there, so that any nesting by an installer
 * works. All packages are CommonJS.
 *
 * @param from URL of the file that resolves the dependency
 * @throws ToolError `engine-missing`
 */
export function requireEngine(from: string): Engine {
  const fromCli = requireFromCli(from);
  const { bundleAndLoadRuleset } = fromCli('@stoplight/spectral-ruleset-bundler/with-loader') as {
    bundleAndLoadRuleset(file: string, io: object, plugins: readonly unknown[]): Promise<unknown>;
  };
  const { builtins } = fromCli('@stoplight/spectral-ruleset-bundler/plugins/builtins') as { builtins(): unknown };
  const { Resolver } = fromCli('@stoplight/spectral-ref-resolver') as {
    Resolver: new (options: { resolvers: object }) => unknown;
  };
  const { Json } = fromCli('@stoplight/spectral-parsers') as { Json: unknown };
  return {
    core: fromCli('@stoplight/spectral-core') as Engine['core'],
    json: Json,
    // Spectral resolves references even in examples: it must not read files or the network.
    resolver: new Resolver({ resolvers: {} }),
    // The ruleset refers only to files, so it must not fetch anything.
    rulesets: new Map(),
    loadRuleset: (file, folder = ownFolder) =>
      bundleAndLoadRuleset(file, { fs: filesFor(folder), fetch: refuseFetch }, [builtins()]),
  };
}

function requireFromCli(from: string): NodeJS.Require {
  try {
    return createRequire(createRequire(from).resolve('@stoplight/spectral-cli/package.json'));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    throw missingEngine('Spectral is not installed, and lint needs it.', ['@stoplight/spectral-cli'], cause);
  }
}

/** Functions are code, and lint never runs code of another folder. Spectral gets each ruleset without them. */
function filesFor(folder: ContractFolder): { readonly promises: Pick<typeof fs.promises, 'readFile'> } {
  if (!folder.confined) return fs;
  const readFile = async (path: string, encoding: BufferEncoding): Promise<string> => {
    if (isInside(schemas, path)) return fs.promises.readFile(path, encoding);
    const file = await realPathBelow(folder.root, path);
    const { value } = await readPlaced(file, PART);
    return JSON.stringify(value, (key, member: unknown) => {
      if (mayStand(key, member)) return member;
      throw new ToolError(
        'spec-invalid',
        `A ruleset of a contract folder cannot have ${key}: ${JSON.stringify(member)}.`,
        {
          place: { file: path },
          hint: 'It can extend spectral:oas and YAML files, and use the functions of Spectral and of schemas/ruleset/.',
        },
      );
    });
  };
  return { promises: { readFile: readFile as typeof fs.promises.readFile } };
}

function mayStand(key: string, value: unknown): boolean {
  if (key !== 'extends') return !['functions', 'functionsDir', '<<', '__proto__'].includes(key);
  // each is a name, or a name with a severity
  const names = [value].flat().map((one: unknown) => (Array.isArray(one) ? one[0] : one));
  return names.every((name) => /^(?:spectral:\w+|[./].*\.(?:ya?ml|json))$/.test(String(name)));
}

async function refuseFetch(): Promise<never> {
  throw new Error('The ruleset may not refer to the network.');
}
