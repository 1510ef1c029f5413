import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { packageRoot } from '../../src/package-root.ts';
import { verify } from '../../src/run/verify.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { documentOf, FEATURES, type Feature } from './features.ts';

async function row(feature: Feature): Promise<string> {
  const dir = await temporaryFolder();
  await mkdir(join(dir, 'spec'));
  await writeFile(join(dir, 'contract.yaml'), 'contract: 1\nname: feature\n');
  await writeFile(join(dir, 'spec/openapi.yaml'), JSON.stringify(documentOf(feature)));
  const folder = await readContractFolder(dir);
  const { bad, wrong, type, name } = feature;
  let refused = '–';
  if (bad !== undefined || wrong !== undefined) {
    await using mock = await startMock({ listen: false, folder });
    const headers = { 'content-type': type ?? 'application/json' };
    const body = type === undefined ? JSON.stringify({ value: wrong }) : String(wrong);
    const init = bad === undefined ? { method: 'POST', headers, body } : {};
    refused = String((await mock.fetch(bad ?? '/things', init)).status);
  }
  const statuses = new Set<number | undefined>();
  const report = await verify({
    target: 'mock',
    folder,
    onExchange: ({ response }) => statuses.add(response?.status),
  });
  const open = report.checks.filter(({ id, outcome }) => id.includes('.answers.') && outcome !== 'passed');
  const verdict = open.length === 0 ? report.verdict : `${report.verdict}:${open[0]?.outcome}`;
  return `|${name}|${[...statuses].join('+') || '–'}|${refused}|${verdict}|`;
}

test('docs/openapi.md shows what mock and verify do with each feature', { timeout: 580_000 }, async () => {
  expect(FEATURES).toHaveLength(73);
  const rows: string[] = [];
  for (const feature of FEATURES)
    rows.push(await row(feature).catch((error: Error) => `|${feature.name}|${error.message}|||`));
  const page = `# OpenAPI features

Statuses of the mock for a good request and a violation, and the result of \`verify\`.

|feature|answer|violation|verify|
|---|---|---|---|
${rows.join('\n')}
`;
  await expect(page).toMatchFileSnapshot(join(packageRoot, 'docs/openapi.md'));
});
