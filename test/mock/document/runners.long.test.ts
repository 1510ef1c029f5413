/**
 * Imports the served contract into popular collection runners. The runners are not dependencies: they weigh more than
 * all of ours together. `BANKING_API_RUNNERS` names a folder that already contains them.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Mock } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { installed } from '../../support/from-npm.ts';
import { bearer } from '../support/client.ts';

const { folder, missing } = await installed(
  ['newman@6', 'openapi-to-postmanv2@6', '@usebruno/cli@4'],
  process.env.BANKING_API_RUNNERS,
);

let mock: Mock;
let contract: string;

/** A stateless mock: no request of a collection deletes data that the next one needs. */
beforeEach(async () => {
  mock = await startMock({ stateless: true });
  contract = await (await fetch(`${mock.url}/__mock/contract.json`)).text();
});
afterEach(() => mock.close());

describe.skipIf(missing)(`collection runners${missing}`, () => {
  // the runners call the mock of this process
  const run = async (command: string, args: readonly string[], cwd: string): Promise<void> => {
    await promisify(execFile)(join(folder, 'node_modules/.bin', command), args, { cwd, timeout: 120_000 });
  };

  const all = (): readonly string[] =>
    mock.journal.entries().flatMap(({ operationId, path, response }) => {
      return response && response.status < 300 ? [operationId ?? path] : [`${path} ${response?.status}`];
    });
  const served = (): string[] =>
    Object.values((JSON.parse(contract) as { paths: Record<string, Record<string, { operationId?: string }>> }).paths)
      .flatMap((item) => Object.values(item).map((node) => node?.operationId))
      .filter((id) => id !== undefined);

  test("newman runs every request that Postman's converter generates", async () => {
    const work = await mkdtemp(join(tmpdir(), 'newman-'));
    await writeFile(join(work, 'contract.json'), contract);
    const wishes = 'parametersResolution=Example,requestParametersResolution=Example';
    await run('openapi2postmanv2', ['-s', 'contract.json', '-o', 'collection.json', '-O', wishes], work);
    const token = (await bearer(mock)).slice('Bearer '.length);
    mock.journal.clear();
    const { username, password } = mock.credentials;
    const variables = [`bearerToken=${token}`, `basicAuthUsername=${username}`, `basicAuthPassword=${password}`];
    await run('newman', ['run', 'collection.json', ...variables.flatMap((one) => ['--env-var', one])], work);
    expect([...all()].sort()).toEqual([...served()].sort());
  }, 300_000);

  test("Bruno's CLI runs every request that Bruno imports", async () => {
    const work = await mkdtemp(join(tmpdir(), 'bruno-'));
    await writeFile(join(work, 'contract.json'), contract);
    const collection = join(work, 'collection');
    await run(
      'bru',
      ['import', 'openapi', '-s', 'contract.json', '-o', collection, '-n', 'x', '--collection-format', 'bru'],
      work,
    );
    const token = (await bearer(mock)).slice('Bearer '.length);
    mock.journal.clear();
    const { username, password } = mock.credentials;
    const variables = [`baseUrl=${mock.url}`, `token=${token}`, `username=${username}`, `password=${password}`];
    await run('bru', ['run', '-r', ...variables.flatMap((one) => ['--env-var', one])], collection);
    expect([...all()].sort()).toEqual([...served()].sort());
  }, 300_000);
});
