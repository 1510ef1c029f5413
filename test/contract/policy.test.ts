import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { documentFolder } from '../../src/contract/document-folder.ts';
import { withDeclaredReads } from '../../src/contract/effects.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { createPolicy, type PolicySettings } from '../../src/egress/policy.ts';
import { packageRoot } from '../../src/package-root.ts';
import { failure } from './support.ts';

const URL_TARGET: PolicySettings = {
  ...{ allow: 'read', host: 'sandbox.example', writesAllowedOn: [], expendable: [] },
  ...{ probe: false, embedded: false, mock: false },
};

/** The package's contract, copied byte by byte, with other text in `policy.yaml` if given. */
async function copied(policy?: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'copy-'));
  for (const part of ['contract.yaml', 'policy.yaml', 'spec', 'mocks', 'contracts'])
    await cp(join(packageRoot, part), join(dir, part), { recursive: true });
  if (policy !== undefined) await writeFile(join(dir, 'policy.yaml'), policy);
  return dir;
}

const sent = (contract: Contract): string[] => {
  const { refusalOf } = createPolicy(() => contract, URL_TARGET);
  return contract.operations
    .filter((operation) => operation.method === 'POST' && refusalOf(operation) === null)
    .map(({ operationId }) => operationId);
};

describe('the policy of a contract', () => {
  test('by the policy of the package, all operations of fees are reads, a POST as well', async () => {
    const contract = await loadContract();
    const fees = contract.operations.filter(({ operationId, path }) => path !== null && /Fees/.test(operationId));
    expect(fees.map(({ effect }) => effect)).toEqual(Array(6).fill('read'));
    expect(sent(contract)).toEqual(['getToken', 'getTransactionFees']);
  });

  test.each([
    ['a copy of the folder, equal in every byte', copied],
    ['the folder of the package, if it is named', async () => packageRoot],
  ])('by %s, only the token request is sent', async (_what, dirOf) => {
    const contract = await loadContract({ folder: await readContractFolder(await dirOf()) });
    expect(sent(contract)).toEqual(['getToken']);
    const { notices } = withDeclaredReads(contract);
    const ignored = notices.filter(({ code }) => code === 'effect-ignored');
    expect(ignored.map(({ message }) => message)).toEqual([
      'x-effect: read does not count: getTransactionFees (POST) is write.',
    ]);
    expect(ignored[0]?.place).toMatchObject({ file: expect.stringMatching(/policy\.yaml$/), line: expect.any(Number) });
  });

  test('the privilege does not extend to another document with the same names', async () => {
    const root = join(await copied(), 'spec/openapi.yaml');
    expect(sent(await loadContract({ root }))).toEqual(['getToken']);
  });

  test('the policy raises effects and names ids', async () => {
    const dir = await copied(
      'operations:\n  getCard: { effect: destructive }\n  suspendCard: { creates: stopId, removes: cardId }\n',
    );
    const { operation } = await loadContract({ folder: await readContractFolder(dir) });
    expect(operation('getCard')?.effect).toBe('destructive');
    expect(operation('suspendCard')).toMatchObject({ creates: 'stopId', removes: 'cardId' });
    expect(operation('issueNewCard')).toMatchObject({ effect: 'write', creates: null });
  });

  test.each([
    ['an unknown operation', 'operations:\n  getCart: { effect: read }\n', /no operation getCart.*getCard/s, 2],
    ['an unknown effect', 'operations:\n  getCard: { effect: none }\n', /effect|allowed values|one of/, 2],
    ['an unknown word', 'operations:\n  getCard:\n    efect: read\n', /effect/, 3],
  ])('%s is reported with its line', async (_what, text, message, line) => {
    const folder = await readContractFolder(await copied(text));
    const error = await failure(loadContract({ folder }));
    expect(error).toMatchObject({ code: 'spec-invalid', exitCode: 3, place: { file: 'policy.yaml', line } });
    expect(error.describe()).toMatch(message);
  });

  test('a policy beside a single document is not read', async () => {
    const dir = await copied('operations:\n  getCard: { effect: destructive }\n');
    const folder = documentFolder(join(dir, 'spec/openapi.yaml'));
    await cp(join(dir, 'policy.yaml'), join(dir, 'spec/policy.yaml'));
    const contract = await loadContract({ folder });
    expect(contract.operation('getCard')?.effect).toBe('read');
    expect(sent(contract)).toEqual(['getToken']);
  });

  test('a word that the document states, too, is reported', async () => {
    const dir = await copied();
    await cp(join(packageRoot, 'examples/second-api'), dir, { recursive: true });
    await writeFile(join(dir, 'policy.yaml'), 'operations:\n  fetchToken: { effect: read }\n');
    const error = await failure(loadContract({ folder: await readContractFolder(dir) }));
    expect(error.describe()).toMatch(/The document states x-effect of fetchToken, too.*Remove one/s);
  });
});
