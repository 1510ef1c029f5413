import { createRequire } from 'node:module';
import { missingEngine } from '../files/missing-engine.ts';
import { packageRoot } from '../package-root.ts';

/** Not part of an installation. */
const TOOLS = ['esbuild', 'json-schema-to-typescript'] as const;

interface Tools {
  readonly build: typeof import('esbuild').build;
  readonly transform: typeof import('esbuild').transform;
  readonly typesOf: typeof import('json-schema-to-typescript').compile;
}

let loaded: Tools | undefined;

/** @throws ToolError `engine-missing`, with the line that installs them */
export function tools(): Tools {
  loaded ??= requireTools(import.meta.url);
  return loaded;
}

/** @param from URL of the file from which they are looked up */
export function requireTools(from: string): Tools {
  const require = createRequire(from);
  try {
    const { build, transform } = require(TOOLS[0]) as typeof import('esbuild');
    const { compile } = require(TOOLS[1]) as typeof import('json-schema-to-typescript');
    return { build, transform, typesOf: compile };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    const { devDependencies: versions } = createRequire(import.meta.url)(`${packageRoot}/package.json`) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    const packages = TOOLS.map((tool) => `${tool}@${versions[tool]}`);
    throw missingEngine('The tools that make code are not installed.', packages, cause);
  }
}
