import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/package-root.ts';

type Kind = 'dependencies' | 'optionalDependencies' | 'peerDependencies';
type Locked = { readonly version: string } & { readonly [kind in Kind]?: Readonly<Record<string, string>> };

export interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly {
    readonly expression?: string;
    readonly license?: { readonly id?: string; readonly name?: string };
  }[];
}

export interface BillOfMaterials {
  readonly components: readonly (Component & { readonly 'bom-ref': string })[];
  readonly dependencies: readonly { readonly ref: string }[];
}

/**
 * What installing the package brings, as CycloneDX. `npm sbom --omit=dev` leaves out whatever a development tool needs
 * as well.
 */
export function billOfMaterials(kinds: readonly Kind[]): BillOfMaterials {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
  const bill = JSON.parse(
    execFileSync('npm', args, {
      cwd: packageRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    }),
  ) as BillOfMaterials;
  const installed = installedBy(kinds);
  const components = bill.components.filter(({ name, version }) => installed.has(`${name}@${version}`));
  const refs = new Set(components.map((component) => component['bom-ref']));
  return { ...bill, components, dependencies: bill.dependencies.filter(({ ref }) => refs.has(ref)) };
}

function installedBy(kinds: readonly Kind[]): Set<string> {
  const lock = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const found = new Map<string, string>();
  const follow = (from: string, wanted: readonly Kind[]) => {
    for (const name of wanted.flatMap((kind) => Object.keys(lock.packages[from]?.[kind] ?? {}))) {
      const path = resolve(from, name);
      if (path === undefined || found.has(path)) continue;
      found.set(path, `${name}@${lock.packages[path]?.version}`);
      follow(path, ['dependencies', 'optionalDependencies']);
    }
  };
  /** Where Node would find a package: beside the importing one, or in a folder above it. */
  const resolve = (from: string, name: string): string | undefined => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const path = `${at && `${at}/`}node_modules/${name}`;
      if (lock.packages[path]) return path;
      if (at === '') return undefined;
    }
  };
  follow('', kinds);
  return new Set(found.values());
}
