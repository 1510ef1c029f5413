/**
 * Writes what depends on the repository of the package. Without a repository there is no registry entry and no action to
 * refer to, so the documents show the way by tarball.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Repository, repositoryOf } from '../../src/files/tool.ts';
import type { Made } from '../../src/generate/files.ts';
import { packageRoot } from '../../src/package-root.ts';

interface Manifest {
  readonly version: string;
  readonly repository?: Repository;
}

type Texts = Readonly<Record<string, string>>;

const FILES = ['ci/nightly.yml', 'ci/gitlab.yml', 'docs/ci.md', 'docs/install.md', 'README.md'] as const;

/** The files with the way that works for this manifest. */
export function withRepository(texts: Texts, manifest: Manifest): Texts {
  const { version } = manifest;
  const repository = repositoryOf(manifest.repository);
  const specifierOf = (wanted: string): string =>
    repository === null ? `./banking-api-contract-${wanted}.tgz` : `banking-api-contract@${wanted}`;
  const install =
    repository === null
      ? `npm ci && npm pack   # in a clone
npm install --save-dev ${specifierOf(version)}   # in your project, with a copy of that file
`
      : 'npm install --save-dev banking-api-contract\n';
  const images = repository === null ? '' : `https://raw.githubusercontent.com/${repository}/v${version}/`;
  const action =
    repository === null
      ? `- run: npm ci --ignore-scripts # installs ${specifierOf(version)}\n- uses: ./node_modules/banking-api-contract\n`
      : `- uses: ${repository}@v${version}\n`;

  const edited: Record<string, string> = {};
  function edit(file: (typeof FILES)[number], pattern: RegExp, text: string): void {
    const before = edited[file] ?? texts[file] ?? '';
    if (!pattern.test(before)) throw new Error(`${file} has no text like ${pattern}`);
    edited[file] = before.replace(pattern, () => text);
  }
  edit(
    'ci/nightly.yml',
    /(?<= )(?:\.\/banking-api-contract-|banking-api-contract@)[\d.]+(?:\.tgz)?$/m,
    specifierOf(version),
  );
  const variable = '$BANKING_API_VERSION';
  edit('ci/gitlab.yml', /(?<=")\S*banking-api-contract[@-]\$BANKING_API_VERSION[^"]*(?=")/, specifierOf(variable));
  edit('ci/gitlab.yml', /(?<=BANKING_API_VERSION: )\S+/, version);
  const hash = createHash('sha256')
    .update(edited['ci/gitlab.yml'] ?? '')
    .digest('base64');
  const included =
    repository === null
      ? '  - local: gitlab.yml # a copy of node_modules/banking-api-contract/ci/gitlab.yml\n'
      : `  - remote: https://unpkg.com/banking-api-contract@${version}/ci/gitlab.yml\n    integrity: sha256-${hash}\n`;
  edit('docs/ci.md', /(?<=^include:\n)(?: {2}.*\n)+/m, included);
  edit('docs/ci.md', /(?<=^```yaml\n)(?:- run: npm ci.*\n)?- uses: .*\n/m, action);
  edit('docs/install.md', /(?<=^# Installation\n\n```sh\n)[^`]*/m, install);
  edit('README.md', /(?<=^## Install\n\n```sh\n)[^`]*/m, install);
  edit('README.md', /(?<=\]\()[^()]*(?=docs\/images\/)/, images);
  return edited;
}

export async function repository(): Promise<Made> {
  const read = (file: string): Promise<string> => readFile(join(packageRoot, file), 'utf8');
  const texts = FILES.map(async (file) => [file, await read(file)]);
  const files = withRepository(Object.fromEntries(await Promise.all(texts)), JSON.parse(await read('package.json')));
  return { folder: '.', files };
}
