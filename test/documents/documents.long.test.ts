import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { diff } from '../../src/diff/diff.ts';
import { generateCode } from '../../src/generate/code.ts';
import { makeRecording } from '../../src/learn/recording.ts';
import { gather } from '../../src/learn/sightings.ts';
import { type Exchange, is2xx } from '../../src/model/exchange.ts';
import { contentOf } from '../../src/model/media.ts';
import { packageRoot } from '../../src/package-root.ts';
import { verify } from '../../src/run/verify.ts';
import type { Json } from '../../src/schema/json.ts';
import { formatFragment, parsePointer } from '../../src/text/pointer.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LONG = { timeout: 240_000 };
const DOCUMENTS = globSync('*.yaml', { cwd: import.meta.dirname }).map((file) => basename(file, '.yaml'));

async function folderOf(name: string) {
  const dir = await temporaryFolder();
  await mkdir(join(dir, 'spec'));
  await writeFile(join(dir, 'contract.yaml'), `contract: 1\nname: ${name}\n`);
  await copyFile(join(import.meta.dirname, `${name}.yaml`), join(dir, 'spec/openapi.yaml'));
  return readContractFolder(dir);
}

/** The value in another type. */
const mutated = (value: Json): Json => (typeof value === 'string' ? { mutated: true } : 'mutated');

test.each(DOCUMENTS)("%s: the mock's answers match their schemas, and verify agrees", LONG, async (name) => {
  const folder = await folderOf(name);
  const contract = await loadContract({ folder });
  const exchanges: Exchange[] = [];
  const report = await verify({ target: 'mock', folder, onExchange: (exchange) => exchanges.push(exchange) });
  const open = report.checks.filter(
    ({ outcome, reason }) => outcome !== 'passed' && !/^not in this|^no operation reads with/.test(reason ?? ''),
  );
  // a generated answer does not repeat request parameters
  const findings = report.findings.filter(({ rule }) => rule !== 'parameter-echoed-differently');
  expect([report.verdict, findings, open]).toEqual(['agrees', [], []]);

  const ajv = new Ajv2020({ strict: false, validateFormats: true });
  formats.default(ajv);
  ajv.addSchema(contract.document as object, 'document');
  const answers = new Map<string, Json>();
  for (const exchange of exchanges) {
    const { operationId = '', response } = exchange;
    const operation = contract.operation(operationId ?? '');
    if (!operation || !response || !is2xx(response.status)) continue;
    const said = operation.responses.find(({ status }) => status === String(response.status) || status === '2XX');
    const media = said?.content.find(({ type, schema }) => type.includes('json') && schema !== undefined);
    const content = contentOf(exchange);
    answers.set(operation.operationId, content.kind === 'json' ? (content.value as Json) : null);
    if (media === undefined) continue;
    const segments = [...(parsePointer(media.pointer) ?? []), 'schema'];
    const validate = ajv.compile({ $ref: `document${formatFragment(segments)}` });
    const value = content.kind === 'json' ? content.value : undefined;
    expect([operationId, validate(value), validate.errors ?? []]).toEqual([operationId, true, []]);
  }
  expect([...answers.keys()].sort()).toEqual(contract.operations.map(({ operationId }) => operationId).sort());

  const recordingOf = async (file: string, change: (value: Json) => Json): Promise<string> => {
    const sightings = [...answers].map(([operationId, value]) => ({
      ...{ operationId, status: 200, type: 'application/json', json: { value: change(value) }, empty: value === null },
    }));
    await writeFile(join(folder.dir, file), makeRecording(contract, gather(sightings), {}).text);
    return join(folder.dir, file);
  };
  const before = await recordingOf('before.yaml', (value) => value);
  const after = await recordingOf('after.yaml', (value) => {
    const [first] = Object.entries(value ?? {});
    return first && !Array.isArray(value) ? { ...(value as object), [first[0]]: mutated(first[1] as Json) } : value;
  });
  const changed = [...answers].filter(
    ([, value]) => value !== null && !Array.isArray(value) && typeof value === 'object',
  );
  expect(changed.length).toBeGreaterThan(1);
  expect((await diff({ before, after: before, folder })).findings).toEqual([]);
  const found = (await diff({ before, after, folder })).findings.flatMap(
    ({ parts, operationId }) => parts?.map((part) => part.operationId) ?? [operationId],
  );
  expect(changed.map(([operationId]) => operationId).filter((id) => !found.includes(id))).toEqual([]);
});

test.each(DOCUMENTS)('%s: the generated types and validators compile', LONG, async (name) => {
  const folder = await folderOf(name);
  const files = await generateCode(await loadContract({ folder }));
  const out = join(folder.dir, 'generated');
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(out, file)), { recursive: true });
    await writeFile(join(out, file), text);
  }
  await mkdir(join(folder.dir, 'node_modules'));
  await symlink(packageRoot, join(folder.dir, 'node_modules/banking-api-contract'));
  await writeFile(join(out, 'package.json'), '{ "type": "module" }');
  const sources = Object.keys(files).filter((file) => file.endsWith('.d.ts'));
  const flags = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--module', 'nodenext', '--types', ''];
  const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [tsc, ...flags, ...sources], { cwd: out, encoding: 'utf8' });
  expect([stdout, status]).toEqual(['', 0]);
});
