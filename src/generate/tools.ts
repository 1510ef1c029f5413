import { createRequire } from 'node:module';
import { missingEngine } from '../files/missing-engine.ts';
import { packageRoot } from '../package-root.ts';

/** Not installed with the package. */
const TOOLS = ['esbuild'] as const;

interface Tools {
  readonly build: typeof import('esbuild').build;
  readonly transform: typeof import('esbuild').transform;
}

let loaded: Tools | undefined;

/** @throws ToolError `engine-missing` with the install command */
export function tools(): Tools {
  loaded ??= requireTools(import.meta.url);
  return loaded;
}

/** @param from URL of the file that resolves them */
export function requireTools(from: string): Tools {
  const require = createRequire(from);
  try {
    const { build, transform } = require(TOOLS[0]) as typeof import('esbuild');
    return { build, transform };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    const { devDependencies: versions } = createRequire(import.meta.url)(`${packageRoot}/package.json`) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    const packages = TOOLS.map((tool) => `${tool}@${versions[tool]}`);
    throw missingEngine('The tools that make code are not installed.', packages, cause);
  }
}
