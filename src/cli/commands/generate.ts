import { resolve } from 'node:path';
import type { Contract } from '../../contract/contract.ts';
import { EXIT, type ExitCode } from '../../errors.ts';
import { assertWritable } from '../../files/write.ts';
import { count } from '../../text/words.ts';
import type { Args } from '../args.ts';
import type { Command, Io } from '../command.ts';
import { CONTRACT_FLAGS, contractOf, noticeText } from '../contract.ts';

export const command: Command = {
  flags: {
    ...CONTRACT_FLAGS,
    entities: { help: 'also write entities.yaml: the state that the mock infers from the paths' },
    out: { value: 'DIR', help: 'output folder; other files in it stay' },
  },
  exits: {
    [EXIT.agrees]: 'the files were written',
    [EXIT.usage]: 'usage error, unwritable folder, or missing packages',
    [EXIT.contract]: 'the spec or an overlay cannot be loaded',
    [EXIT.interrupted]: 'interrupted',
  },
  run,
};

const ABOUT = `# The records of the mock and the effect of each operation, by the shape of the paths. All of it is assumed.
# Correct it by hand, and move it to mocks/entities.yaml of the contract folder.
`;

async function entitiesText(contract: Contract): Promise<string> {
  const [{ inferEntities }, { stringify }] = await Promise.all([
    import('../../mock/state/infer-entities.ts'),
    import('yaml'),
  ]);
  return ABOUT + stringify(inferEntities(contract), { lineWidth: 0 });
}

async function run(args: Args, io: Io): Promise<ExitCode> {
  const folder = resolve(io.cwd, args.required('out', 'the output folder'));
  const contract = await contractOf(args, io);
  await assertWritable(resolve(folder, 'openapi.json'));
  const [{ generateCode }, { slowPatterns }, { changedFiles, writeFiles }] = await Promise.all([
    import('../../generate/code.ts'),
    import('../../generate/patterns.ts'),
    import('../../generate/files.ts'),
  ]);
  const files = {
    ...(await generateCode(contract)),
    ...(args.switch('entities') && { 'entities.yaml': await entitiesText(contract) }),
  };
  const changed = await changedFiles(folder, files);
  await writeFiles(folder, files, changed);
  io.stdout.write(changed.map((file) => `${file}\n`).join(''));
  io.stderr.write(noticeText(slowPatterns(contract)));
  io.stderr.write(`${count(Object.keys(files).length, 'file')}, ${changed.length} written.\n`);
  return EXIT.agrees;
}
