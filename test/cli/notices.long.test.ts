import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CREDENTIALS, json, PARAMETERS, type Sandbox, startSandbox } from '../run/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { command, listening, type Ran } from './command.ts';

/** A path that differs from the mock's assumption. */
const PATH = '/v2/customers/{customerId}/clients/{clientId}/beneficiaries';
const overlay = (provenance: string, actions: object): string =>
  `overlay: 1.0.0\nx-provenance: ${provenance}\ninfo: { title: T, version: '1' }\nactions: ${JSON.stringify(actions)}\n`;
const RESPONSES = {
  '200': { description: 'Observed.', content: { 'application/json': { schema: { type: 'array' } } } },
};
const RECORDING = overlay('observed', [{ target: `$.paths['${PATH}'].get`, update: { responses: RESPONSES } }]);
const ALONE = new RegExp(
  String.raw`rec\.yaml:4:\d+ .*warning: The target \$\.paths\['${PATH.replaceAll(/[{}]/g, '\\$&')}'\]\.get matches nothing\. .*pass that overlay first`,
);
const TOO_EARLY = /rec\.yaml:4:\d+ .*warning: .* matches nothing yet: a later overlay adds it\. Give that one before/;

let folder: string;
let sandbox: Sandbox;
beforeAll(async () => {
  folder = await temporaryFolder();
  sandbox = await startSandbox({
    fault: ({ method, path, authorization }, response) => {
      if (method !== 'GET' || !path.startsWith('/v2/') || !authorization.startsWith('Bearer ey')) return false;
      return json(response, 200, []);
    },
  });
  await writeFile(join(folder, 'config.yaml'), `parameters: ${JSON.stringify(PARAMETERS)}\n`);
  await writeFile(join(folder, 'rec.yaml'), RECORDING);
  const located = { target: '$.paths', update: { [PATH]: { get: { operationId: 'getBeneficiaries' } } } };
  await writeFile(join(folder, 'loc.yaml'), overlay('documented', [located]));
  await writeFile(join(folder, 'empty.ndjson'), '');
});
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
});

async function ran(...argv: string[]): Promise<Ran> {
  const env = { BANKING_API_USERNAME: CREDENTIALS.username, BANKING_API_PASSWORD: CREDENTIALS.password };
  const isServer = argv[0] === 'mock' || argv[0] === 'proxy';
  return isServer ? (await listening(argv, { cwd: folder, env })).end() : command(argv, { cwd: folder, env });
}

const given = (...files: string[]): string[] => files.flatMap((file) => ['--overlay', file]);

describe('warnings for a recording without the overlay that gives paths to its operations', () => {
  const live = (): string[] => ['--target', sandbox.url, '--config', 'config.yaml'];
  const commands: [string, () => string[]][] = [
    ['verify', () => ['verify', ...live()]],
    ['verify --plan', () => ['verify', '--plan', ...live()]],
    ['verify --target mock', () => ['verify', '--target', 'mock', '--plan']],
    ['record', () => ['record', '--out', 'new.yaml', ...live()]],
    ['proxy', () => ['proxy', '--target', sandbox.url]],
    ['mock', () => ['mock']],
    ['spec', () => ['spec']],
  ];

  test.each(commands)(
    '%s prints the warning and keeps its exit code, or is inconclusive if it judges',
    async (name, argv) => {
      const without = await ran(...argv());
      const alone = await ran(...argv(), ...given('rec.yaml'));
      expect(alone.err).toMatch(ALONE);
      const swapped = await ran(...argv(), ...given('rec.yaml', 'loc.yaml'));
      expect(swapped.err).toMatch(TOO_EARLY);
      const right = await ran(...argv(), ...given('loc.yaml', 'rec.yaml'));
      expect(right.err).not.toContain('matches nothing');
      // recorded operations that were not checked never pass
      const unwatched = name === 'verify' ? 4 : without.code;
      expect([alone.code, swapped.code, right.code]).toEqual([unwatched, unwatched, without.code]);
    },
  );

  test('verify prints the warning after the line with the target', async () => {
    const { err } = await ran('verify', '--plan', ...live(), ...given('rec.yaml'));
    expect(err.split('\n').map((line) => /^Target: |warning: |exit 0/.exec(line)?.[0])).toEqual([
      'Target: ',
      'warning: ',
      'exit 0',
      undefined,
    ]);
  });

  test('record prints the warning for an overwritten recording, also with --from', async () => {
    expect((await ran('record', '--out', 'rec.yaml', ...live())).err).toMatch(/rec\.yaml:.* matches nothing/);
    await writeFile(join(folder, 'rec.yaml'), RECORDING);
    const { err } = await ran('record', '--out', 'new.yaml', '--from', 'empty.ndjson', ...given('rec.yaml'));
    expect(err).toMatch(ALONE);
  });

  test('diff prints the warning for either file', async () => {
    const alone = await ran('diff', 'rec.yaml', 'rec.yaml');
    expect([alone.code, alone.err.match(/matches nothing/g)?.length]).toEqual([4, 1]);
    expect(alone.err).toMatch(ALONE);
    expect((await ran('diff', 'rec.yaml', 'rec.yaml', ...given('loc.yaml'))).err).not.toContain('matches nothing');
  });
});
