import { createRequire } from 'node:module';
import { missingEngine } from '../files/missing-engine.ts';
import { packageRoot } from '../package-root.ts';

/** esbuild is not installed with the package. */
type Tools = Pick<typeof import('esbuild'), 'build' | 'transform'>;

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
    return require('esbuild') as Tools;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    const { devDependencies: versions } = createRequire(import.meta.url)(`${packageRoot}/package.json`) as {
      readonly devDependencies: { readonly esbuild: string };
    };
    throw missingEngine('The tools that make code are not installed.', [`esbuild@${versions.esbuild}`], cause);
  }
}
