import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prefixText } from '../../../src/cli/init/config-text.ts';
import { workflowFor } from '../../../src/cli/init/workflow.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('init writes the prefix that a contract suggests as a comment', () => {
  expect(prefixText(undefined, 'ACME')).toMatch(/^\n# .*\n# environment: ACME\n$/);
});

test.each([
  [undefined, 'A: b\ntarget: evil'],
  [undefined, 7],
  [undefined, undefined],
  ['environment: OWN\n', 'ACME'],
])('after %j, init does not write the suggestion %j', (before, prefix) => {
  expect(prefixText(before, prefix)).toBe('');
});

async function workflow(platform: 'github' | 'gitlab', env: Record<string, string>) {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'banking-api.config.yaml'), 'environment: ACME\n');
  const config = await loadConfig({ cwd, env, flags: { target: 'https://bank.example' } });
  const { texts, steps } = await workflowFor(platform, cwd, config);
  return { text: Object.values(texts).join('\n'), steps: steps.join('\n') };
}

test.each(['github', 'gitlab'] as const)(
  'the workflow of %s has the variables of the prefix in use',
  async (platform) => {
    const { text, steps } = await workflow(platform, { ACME_USERNAME: 'a', ACME_PASSWORD: 'b' });
    expect(text).not.toMatch(/BANKING_API_(?:BASE_URL|USERNAME|PASSWORD|TOKEN)/);
    expect(text).toContain('ACME_PASSWORD');
    expect(steps).toContain('Add ACME_USERNAME and ACME_PASSWORD to');
    expect(steps).toContain('No package-lock.json here has banking-api-contract.');
  },
);

test('the workflow of an API with a ready token asks for the token only', async () => {
  const { text, steps } = await workflow('github', { ACME_TOKEN: 'ready' });
  expect(text).toContain('Secrets: ACME_TOKEN.');
  expect(text).toMatch(/ACME_TOKEN: \$\{\{ secrets\.ACME_TOKEN /);
  expect(steps).toContain('Add ACME_TOKEN to');
});
