import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/package-root.ts';

export interface Component {
  readonly name: string;
  readonly version: string;
  readonly 'bom-ref': string;
  readonly licenses?: readonly {
    readonly expression?: string;
    readonly license?: { readonly id?: string; readonly name?: string };
  }[];
}

export interface BillOfMaterials {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/**
 * The packages of an installation, as CycloneDX. `npm sbom --omit=dev` would also omit those that a development tool
 * shares.
 */
export function billOfMaterials(kinds: readonly ('dependencies' | 'peerDependencies')[]): BillOfMaterials {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
  const bill = JSON.parse(
    execFileSync('npm', args, {
      cwd: packageRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    }),
  ) as BillOfMaterials;
  const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as Record<string, object>;
  const direct = new Set(kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {})));
  const needsOf = new Map(bill.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  const installed = new Set<string>();
  const follow = (ref: string): void => {
    if (installed.has(ref)) return;
    installed.add(ref);
    for (const needed of needsOf.get(ref) ?? []) follow(needed);
  };
  const own = needsOf.get(bill.metadata.component['bom-ref']) ?? [];
  for (const { name, 'bom-ref': ref } of bill.components) if (direct.has(name) && own.includes(ref)) follow(ref);
  return {
    ...bill,
    components: bill.components.filter((component) => installed.has(component['bom-ref'])),
    dependencies: bill.dependencies.filter(({ ref }) => installed.has(ref)),
  };
}
