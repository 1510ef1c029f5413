import { execFileSync } from 'node:child_process';
import { startable } from '../src/files/startable.ts';
import { packageRoot } from '../src/package-root.ts';

export interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the built package into a folder, without running scripts. */
export function pack(folder: string): Packed {
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { file, args, shell } = startable('npm', words);
  const output = execFileSync(file, args, {
    shell,
    cwd: packageRoot,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // An array of one item, or since npm 12 an object of one member.
  const [packed] = Object.values(JSON.parse(output) as Record<string, Packed>);
  if (packed === undefined) throw new Error(`npm pack said nothing of what it packed: ${output}`);
  return packed;
}
