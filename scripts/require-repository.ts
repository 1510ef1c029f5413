/** npm runs this before it publishes: only the owner of a copy knows the repository, and provenance needs it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryOf } from '../src/files/tool.ts';
import { packageRoot } from '../src/package-root.ts';

const { repository } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
if (repositoryOf(repository) === null) {
  console.error('package.json names no repository on GitHub. Set "repository" to yours, then run: npm run generate');
  process.exitCode = 1;
}
