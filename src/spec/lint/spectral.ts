import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ToolError } from '../../errors.ts';
import { packageRoot } from '../../package-root.ts';
import type { JsonObject } from '../contract.ts';

/** One result of Spectral, as far as lint uses it. */
export interface SpectralResult {
  readonly code: string | number;
  readonly message: string;
  readonly path: readonly (string | number)[];
  /** 0 error, 1 warning, 2 information, 3 hint. */
  readonly severity: number;
}

interface Core {
  readonly Spectral: new () => {
    setRuleset(ruleset: unknown): void;
    run(document: unknown): Promise<SpectralResult[]>;
  };
  readonly Document: new (text: string, parser: unknown, source?: string) => unknown;
}

interface Engine {
  readonly core: Core;
  readonly json: unknown;
  loadRuleset(file: string): Promise<unknown>;
  /** Bundling the ruleset takes a second: once per process. */
  ruleset?: Promise<unknown>;
}

/** The package's own ruleset. */
const rulesetFile = join(packageRoot, 'spec', 'ruleset.yaml');

/**
 * Runs Spectral with the package's ruleset over a bundled document.
 * @throws ToolError `engine-missing` where `@stoplight/spectral-cli` is not installed.
 */
export async function runSpectral(document: JsonObject): Promise<readonly SpectralResult[]> {
  const engine = loadEngine();
  const spectral = new engine.core.Spectral();
  engine.ruleset ??= engine.loadRuleset(rulesetFile);
  spectral.setRuleset(await engine.ruleset);
  return spectral.run(new engine.core.Document(JSON.stringify(document), engine.json, 'contract.json'));
}

let loaded: Engine | undefined;

function loadEngine(): Engine {
  loaded ??= requireEngine();
  return loaded;
}

/**
 * The command-line package is the dependency; what it is made of is looked up from there, so that it is found however the
 * installer nests packages. All of it is CommonJS.
 */
function requireEngine(): Engine {
  let fromCli: NodeJS.Require;
  try {
    fromCli = createRequire(createRequire(import.meta.url).resolve('@stoplight/spectral-cli/package.json'));
  } catch (cause) {
    throw new ToolError('engine-missing', 'Spectral is not installed.', {
      hint: 'Add it with npm install (without --omit=optional).',
      cause,
    });
  }
  const { bundleAndLoadRuleset } = fromCli('@stoplight/spectral-ruleset-bundler/with-loader') as {
    bundleAndLoadRuleset(file: string, io: object, plugins: readonly unknown[]): Promise<unknown>;
  };
  const { builtins } = fromCli('@stoplight/spectral-ruleset-bundler/plugins/builtins') as { builtins(): unknown };
  const { Json } = fromCli('@stoplight/spectral-parsers') as { Json: unknown };
  return {
    core: fromCli('@stoplight/spectral-core') as Core,
    json: Json,
    // The ruleset refers to files only: it must not be able to fetch anything.
    loadRuleset: (file) => bundleAndLoadRuleset(file, { fs, fetch: refuseFetch }, [builtins()]),
  };
}

async function refuseFetch(): Promise<never> {
  throw new Error('The ruleset may not refer to the network.');
}
