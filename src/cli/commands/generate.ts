import { resolve } from 'node:path';
import { EXIT, type ExitCode, ToolError } from '../../errors.ts';
import { assertWritable } from '../../files/write.ts';
import { count } from '../../report/wrap.ts';
import { loadContract } from '../../spec/load.ts';
import type { Args, Command, Io } from '../command.ts';
import { CONTRACT_FLAG, folderOf } from '../contract.ts';
import { noticeText } from '../notices.ts';

/** `banking-api generate`: writes validators, types and documents of a contract into a folder. */
export const generateCommand: Command = {
  name: 'generate',
  summary: 'write validators, types, JSON Schemas and the bundled document of a contract folder',
  flags: {
    contract: CONTRACT_FLAG,
    out: { value: 'DIR', help: 'folder to write into; what else is there stays' },
    overlay: { value: 'FILE', repeatable: true, help: 'apply this overlay to the contract first' },
  },
  exits: {
    [EXIT.agrees]: 'the folder holds what is generated',
    [EXIT.usage]: 'wrong usage, a folder that cannot be written, or tools that are not installed',
    [EXIT.contract]: 'the spec or an overlay cannot be loaded, or a schema cannot be compiled',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const out = args.text('out');
  if (out === undefined) throw new ToolError('usage', '--out is missing: the folder that is written into.');
  const folder = resolve(io.cwd, out);
  const overlays = args.list('overlay').map((file) => resolve(io.cwd, file));
  const contract = await loadContract({ folder: await folderOf(args, io), overlays });
  io.stderr.write(noticeText(contract.notices));
  await assertWritable(resolve(folder, 'openapi.json'));
  const [{ generateCode }, { changedFiles, writeFiles }] = await Promise.all([
    import('../../generate/code.ts'),
    import('../../generate/files.ts'),
  ]);
  const files = await generateCode(contract);
  const changed = await changedFiles(folder, files);
  await writeFiles(folder, files, changed);
  io.stdout.write(changed.map((file) => `${file}\n`).join(''));
  io.stderr.write(`${count(Object.keys(files).length, 'file')}, of which ${changed.length} written.\n`);
  return EXIT.agrees;
}
