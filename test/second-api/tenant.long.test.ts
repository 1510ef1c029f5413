import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { report } from '../cli/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { FOLDER } from './pigeons.ts';

const work = await temporaryFolder();

interface Document {
  readonly components: { readonly parameters: Readonly<Record<string, Record<string, unknown>>> };
}

const TENANT = 'X-Post-Office';

/** The second API with its tenant in another place. */
async function copy(name: string, change: (document: Document) => void): Promise<string> {
  const folder = join(work, name);
  await cp(FOLDER, folder, { recursive: true });
  const file = join(folder, 'spec/openapi.yaml');
  const document = parse(await readFile(file, 'utf8')) as Document;
  change(document);
  await writeFile(file, stringify(document));
  return folder;
}

const inQuery = (document: Document): void => {
  Object.assign(document.components.parameters[TENANT] ?? {}, { in: 'query' });
};
const nowhere = (document: Document): void => {
  inQuery(document);
  delete document.components.parameters[TENANT]?.['x-tenant'];
};

/** Sends a letter for one post office; returns whether another one finds it. */
async function shared(folder: string): Promise<boolean> {
  await using mock = await startMock({ listen: false, anyToken: true, folder: await readContractFolder(folder) });
  const ask = (office: string, path: string, init: RequestInit = {}) =>
    mock.fetch(`${path}?${TENANT}=${office}`, {
      ...init,
      headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
    });
  const sent = await ask('gotland', '/v2/letters', { method: 'POST', body: '{}' });
  const { letterNumber } = (await sent.json()) as { letterNumber: string };
  expect([sent.status, (await ask('gotland', `/v2/letters/${letterNumber}`)).status]).toEqual([201, 200]);
  return (await ask('riga', `/v2/letters/${letterNumber}`)).ok;
}

describe('other places of the tenant', () => {
  test('with the tenant in the query each tenant has its own records', async () => {
    expect(await shared(await copy('query', inQuery))).toBe(false);
  });

  test('without a tenant all callers share the records', async () => {
    expect(await shared(await copy('nowhere', nowhere))).toBe(true);
  });

  test.each([
    ['query', inQuery],
    ['nowhere', nowhere],
  ] as const)('verify sends the tenant (%s)', { timeout: 60_000 }, async (name, change) => {
    const folder = await copy(`verify-${name}`, change);
    const told = await report(['verify', '--contract', folder, '--target', 'mock'], { cwd: work });
    expect([told.verdict, told.findings]).toEqual(['agrees', []]);
    expect(told.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  });
});
