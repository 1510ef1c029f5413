import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { packageRoot } from '../../src/package-root.ts';
import { fakeIo } from '../cli/io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Change = readonly [file: string, from: string, to: string];

/** Lints a copy of the second contract with some texts replaced. */
async function lintWith(...changes: readonly Change[]) {
  const dir = await temporaryFolder();
  await cp(join(packageRoot, 'examples/second-api'), dir, { recursive: true });
  await mkdir(join(dir, 'mocks/scenarios'));
  for (const name of ['slow', 'late'])
    await writeFile(join(dir, `mocks/scenarios/${name}.yaml`), `name: ${name}\ntitle: T\nrules: [{ delay: 5 }]\n`);
  for (const [file, from, to] of changes) {
    const before = await readFile(join(dir, file), 'utf8');
    expect(before).toContain(from);
    await writeFile(join(dir, file), before.replace(from, to));
  }
  const io = fakeIo();
  const code = await run(['lint', '--contract', dir], io);
  return { code, out: io.out(), err: io.err() };
}

const FAULTS: readonly (readonly [what: string, file: string, from: string, to: string, line: RegExp])[] = [
  [
    'a reference to a missing part',
    'contract.yaml',
    'seed: mocks/seed.yaml',
    'seed: mocks/seeds.yaml',
    /^contract\.yaml:9:7 error contract-invalid There is no mocks\/seeds\.yaml here\.$/m,
  ],
  [
    'a fact about a parameter that no operation has',
    'contract.yaml',
    'of: letterNumber',
    'of: letterNo',
    /^contract\.yaml:\d+:9 error contract-invalid No operation has a parameter letterNo\./m,
  ],
  [
    'an assumption that contradicts its schema',
    'mocks/assumptions.overlay.yaml',
    'actions:',
    'actions:\n  - target: $.components.schemas.Loft.properties\n    update: { motto: { type: integer, default: none } }',
    /^mocks\/assumptions\.overlay\.yaml:\d+:\d+ error example-invalid /m,
  ],
  [
    'an unknown operation',
    'mocks/entities.yaml',
    '  listLofts: ',
    '  listLoft: ',
    /^mocks\/entities\.yaml:\d+:\d+ error entities-invalid There is no operation listLoft\. Did you mean listLofts\?$/m,
  ],
  [
    'a list of an unknown kind',
    'mocks/entities.yaml',
    '{ list: loft }',
    '{ list: lofts }',
    /^mocks\/entities\.yaml:\d+:\d+ error entities-invalid There is no kind lofts\./m,
  ],
  [
    'a member that no profile has',
    'mocks/profiles/mainland.yaml',
    'guild:',
    'gild:',
    /^mocks\/profiles\/mainland\.yaml:2:\d+ error profile-invalid The default profile has no gild\. Did you mean guild\?/m,
  ],
  [
    'a scenario of an unknown operation',
    'mocks/scenarios/slow.yaml',
    '{ delay: 5 }',
    '{ delay: 5, operations: [readLofts] }',
    /^mocks\/scenarios\/slow\.yaml:3:\d+ error scenario-invalid There is no operation "readLofts"\./m,
  ],
  [
    'a scenario of an unknown parameter',
    'mocks/scenarios/late.yaml',
    '{ delay: 5 }',
    '{ delay: 5, parameters: { loftCod: a } }',
    /^mocks\/scenarios\/late\.yaml:3:\d+ error scenario-invalid No path has a parameter "loftCod"\./m,
  ],
];

// All at once, because a run takes half a second: the mistakes are in different places.
test('lint reports each mistake with file, line and column', async () => {
  const { code, out } = await lintWith(...FAULTS.map(([, file, from, to]): Change => [file, from, to]));
  for (const [what, , , , line] of FAULTS) expect(out, what).toMatch(line);
  expect(code).toBe(1);
});

test('lint reports a record without a required field, with file, line and column', async () => {
  const { out } = await lintWith(['mocks/seed.yaml', '    nearestTown: Slite\n', '']);
  expect(out).toMatch(/^mocks\/seed\.yaml:\d+:\d+ error seed-invalid It must say its nearestTown\.$/m);
});

test('lint exits with 3 for a folder that cannot be loaded', async () => {
  const { code, err } = await lintWith(['contract.yaml', 'contract: 1', 'contract: 2']);
  expect(err).toMatch(/contract\.yaml:2:11/);
  expect(code).toBe(3);
});

test('F4: lint runs no code of a contract folder', async () => {
  const dir = await temporaryFolder();
  await cp(join(packageRoot, 'examples/second-api'), dir, { recursive: true });
  const ran = await temporaryFolder();
  const leaveTrace = (name: string) =>
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(join(ran, name))}, '');\n`;
  const hooks = join(dir, 'mocks/hooks/letters.js');
  await writeFile(hooks, leaveTrace('hook') + (await readFile(hooks, 'utf8')));
  await writeFile(join(dir, 'contracts/trace.contract.js'), leaveTrace('suite'));
  await writeFile(join(dir, 'mocks/seed.mjs'), `${leaveTrace('seed')}export default {};\n`);
  const contract = join(dir, 'contract.yaml');
  await writeFile(contract, (await readFile(contract, 'utf8')).replace('mocks/seed.yaml', 'mocks/seed.mjs'));
  const io = fakeIo();
  expect(await run(['lint', '--contract', dir], io)).toBe(0);
  expect(io.out()).toMatch(
    /^mocks\/seed\.mjs:1:1 info seed-unchecked The seed is a module, which lint does not run\.$/m,
  );
  expect(io.out()).toMatch(/^mocks\/hooks:1:1 info hooks-unchecked /m);
  expect(await readdir(ran)).toEqual([]);
  await import(hooks);
  expect(await readdir(ran)).toEqual(['hook']);
});
