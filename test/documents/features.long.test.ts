import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import type { ContractFolder } from '../../src/contract/folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { generateCode } from '../../src/generate/code.ts';
import { handlers } from '../../src/mock/msw/handlers.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { type Exchange, header } from '../../src/model/exchange.ts';
import { contentOf } from '../../src/model/media.ts';
import { packageRoot } from '../../src/package-root.ts';
import { verify } from '../../src/run/verify.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { documentOf, FEATURES, type Feature } from './features.ts';

type Ask = (path: string, init: RequestInit) => Promise<Response>;

/** The status for the feature's violation. */
async function refusalBy(ask: Ask, { bad, wrong, type = 'application/json', schema }: Feature): Promise<string> {
  if (bad === undefined && wrong === undefined) return '–';
  const body = schema === undefined ? String(wrong) : JSON.stringify({ value: wrong });
  const init = bad === undefined ? { method: 'POST', headers: { 'content-type': type }, body } : {};
  return String((await ask(bad ?? '/things', init)).status);
}

/** The statuses of MSW's handlers for the request of `verify`, and for the violation. */
async function askHandlers(folder: ContractFolder, feature: Feature, { request }: Exchange): Promise<string> {
  if (Object.hasOwn(feature.document ?? {}, 'security')) return '–';
  const server = setupServer(...handlers({ baseUrl: 'https://things.example', folder }));
  server.listen({ onUnhandledFrame: 'error' });
  try {
    const ask: Ask = (path, init) => fetch(`https://things.example${path}`, init);
    const names = ['accept', 'content-type', 'cookie', 'x-id'];
    const headers = names.flatMap((name): [string, string][] => {
      const value = header(request.headers, name);
      return value === undefined ? [] : [[name, value]];
    });
    const init = { method: request.method, headers, ...(request.body && { body: Buffer.from(request.body) }) };
    return `${(await ask(request.target, init)).status} ${await refusalBy(ask, feature)}`;
  } finally {
    server.close();
  }
}

/** What the generated validator says of the mock's answer and of the violation. */
async function askValidator(folder: ContractFolder, { schema, wrong }: Feature, answer: Exchange): Promise<string> {
  const content = contentOf(answer);
  if (schema === undefined || content.kind !== 'json') return '–';
  const files = await generateCode(await loadContract({ folder }));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.dir, 'generated', file)), { recursive: true });
    await writeFile(join(folder.dir, 'generated', file), text);
  }
  await writeFile(join(folder.dir, 'generated/package.json'), '{ "type": "module" }');
  const { Thing } = (await import(pathToFileURL(join(folder.dir, 'generated/validators/thing.js')).href)) as {
    Thing: { is(value: unknown): boolean };
  };
  const verdicts = [content.value, ...(wrong === undefined ? [] : [{ value: wrong }])].map((value) => Thing.is(value));
  return verdicts.map((holds) => (holds ? 'accepts' : 'rejects')).join(', ');
}

async function row(feature: Feature): Promise<string> {
  const dir = await temporaryFolder();
  await mkdir(join(dir, 'spec'));
  await writeFile(join(dir, 'contract.yaml'), 'contract: 1\nname: feature\n');
  await writeFile(join(dir, 'spec/openapi.yaml'), JSON.stringify(documentOf(feature)));
  const folder = await readContractFolder(dir);
  const exchanges: Exchange[] = [];
  const report = await verify({ target: 'mock', folder, onExchange: (exchange) => exchanges.push(exchange) });
  const [first] = exchanges;
  if (first === undefined) throw new Error('verify called nothing');
  await using mock = await startMock({ listen: false, folder });
  const refused = await refusalBy((path, init) => mock.fetch(path, init), feature);
  const answered = [...new Set(exchanges.map(({ response }) => response?.status))].join('+');
  const open = report.checks.filter(({ id, outcome }) => id.includes('.answers.') && outcome !== 'passed');
  const verdict = open.length === 0 ? report.verdict : `${report.verdict}:${open[0]?.outcome}`;
  const byHandlers = await askHandlers(folder, feature, first);
  const cells = [answered, refused, verdict, await askValidator(folder, feature, first), byHandlers];
  return `|${[feature.name, feature.source, ...cells].join('|')}|`;
}

test('docs/openapi.md shows what each part does with each feature', { timeout: 580_000 }, async () => {
  expect(FEATURES).toHaveLength(103);
  const rows: string[] = [];
  for (const feature of FEATURES)
    rows.push(await row(feature).catch((error: Error) => `|${feature.name}|${feature.source}|${error.message}|||||`));
  const file = join(packageRoot, 'docs/openapi.md');
  // other tests check the sections below
  const [, ...sections] = (await readFile(file, 'utf8')).split(/^(?=## )/m);
  const page = `# OpenAPI features

Each row is a document with one feature. **Answer** and **violation** are the statuses of the mock for a good request and for a bad one. **verify** is its result against the mock. **Validator** is what the generated validator says of the answer and of the violation. **MSW** shows the two statuses of the handlers.

|feature|source|answer|violation|verify|validator|MSW|
|---|---|---|---|---|---|---|
${rows.join('\n')}

${sections.join('')}`;
  await expect(page).toMatchFileSnapshot(file);
});
