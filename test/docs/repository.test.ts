import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withRepository } from '../../scripts/generate/repository.ts';
import { startable } from '../../src/files/startable.ts';
import { repositoryOf } from '../../src/files/tool.ts';
import { packageRoot } from '../../src/package-root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const read = (file: string): string => readFileSync(join(packageRoot, file), 'utf8');
const FILES = ['ci/nightly.yml', 'ci/gitlab.yml', 'docs/ci.md', 'docs/install.md', 'README.md'];
const texts = Object.fromEntries(FILES.map((file) => [file, read(file)]));
const NONE = { version: '1.2.3' };
const OWN = { ...NONE, repository: { url: 'git+https://github.com/acme/bank-contract.git' } };

test('without a repository, the documents show the way by tarball', () => {
  const files = withRepository(texts, NONE);
  const all = Object.values(files).join('\n');
  expect(files['README.md']).toContain('npm install --save-dev ./banking-api-contract-1.2.3.tgz');
  expect(files['README.md']).toMatch(/!\[[^\]]+\]\(docs\/images\//);
  expect(files['docs/ci.md']).toContain('- uses: ./node_modules/banking-api-contract\n');
  expect(files['ci/nightly.yml']).toContain(' ./banking-api-contract-1.2.3.tgz\n');
  expect(files['ci/gitlab.yml']).toContain('"./banking-api-contract-$BANKING_API_VERSION.tgz"');
  expect(all).not.toMatch(/banking-api-contract@|unpkg|\bOWNER\b/);
});

test('with a repository, they name the package, the action and absolute pictures', () => {
  const files = withRepository(texts, OWN);
  expect(files['README.md']).toContain('npm install --save-dev banking-api-contract\n');
  expect(files['README.md']).toMatch(
    /\]\(https:\/\/raw\.githubusercontent\.com\/acme\/bank-contract\/v1\.2\.3\/docs\/images\//,
  );
  expect(files['docs/ci.md']).toContain('- uses: acme/bank-contract@v1.2.3\n');
  expect(files['ci/nightly.yml']).toContain(' banking-api-contract@1.2.3\n');
  expect(files['ci/gitlab.yml']).toContain('"banking-api-contract@$BANKING_API_VERSION"');
  expect(files['ci/gitlab.yml']).toContain('BANKING_API_VERSION: 1.2.3\n');
  const hash = createHash('sha256')
    .update(files['ci/gitlab.yml'] ?? '')
    .digest('base64');
  expect(files['docs/ci.md']).toContain(`@1.2.3/ci/gitlab.yml\n    integrity: sha256-${hash}\n`);
  expect(Object.values(files).join('\n')).not.toContain('.tgz');
});

test('each way leads back to the other', () => {
  const none = withRepository(texts, NONE);
  expect(withRepository(none, NONE)).toEqual(none);
  expect(withRepository(withRepository(none, OWN), NONE)).toEqual(none);
});

test.each([
  ['git+https://github.com/acme/bank-contract.git', 'acme/bank-contract'],
  ['https://github.com/acme/bank.contract', 'acme/bank.contract'],
  ['git@github.com:acme/bank.git', 'acme/bank'],
  ['github:acme/bank', 'acme/bank'],
  ['acme/bank', 'acme/bank'],
  ['', null],
  ['https://example.com/acme/bank', null],
  ['gitlab:acme/bank', null],
])('the repository %s is %s', (url, name) => {
  expect([repositoryOf(url), repositoryOf({ url })]).toEqual([name, name]);
});

test('npm publish refuses a package without a repository', async () => {
  const folder = await temporaryFolder();
  for (const file of ['src', 'scripts']) cpSync(join(packageRoot, file), join(folder, file), { recursive: true });
  const { repository: _, ...manifest } = JSON.parse(read('package.json'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  mkdirSync(join(folder, 'node_modules'));
  const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:1' };
  const { file, args, shell } = startable('npm', ['publish', '--dry-run']);
  const { status, stderr } = spawnSync(file, args, { shell, cwd: folder, env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('package.json names no repository on GitHub.')]);
});
