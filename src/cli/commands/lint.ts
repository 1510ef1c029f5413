import type { ContractFolder } from '../../contract/folder.ts';
import type { LintProblem } from '../../contract/lint/lint.ts';
import { loadContract } from '../../contract/load.ts';
import { shownPath } from '../../contract/source.ts';
import { EXIT, type ExitCode, formatPlace } from '../../errors.ts';
import { loadMerged } from '../../learn/load-merged.ts';
import { plain } from '../../text/plain.ts';
import { count } from '../../text/words.ts';
import type { Args } from '../args.ts';
import type { Command, Io } from '../command.ts';
import { CONTRACT_FLAGS, filePaths, folderOf } from '../contract.ts';

/** `banking-api lint`: one line per problem on stdout, `file:line:column severity rule message`. */
export const command: Command = {
  flags: CONTRACT_FLAGS,
  exits: {
    [EXIT.agrees]: 'no problems',
    [EXIT.findings]: 'problems were found',
    [EXIT.interrupted]: 'interrupted',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const folder = await folderOf(args, io);
  if (folder.confined && !folder.isDocument)
    io.stderr.write(`Contract: ${folder.name} (lint does not run its code): ${folder.dir}\n`);
  const { byPlace, lintContract, onceEach } = await import('../../contract/lint/lint.ts');
  const contract = await loadMerged({ folder, overlays: filePaths(args, 'overlay', io), signal: io.signal });
  const problems = [...(await lintContract(contract)), ...(folder.isDocument ? [] : await lintRest(folder, io))].sort(
    byPlace,
  );
  for (const { place, severity, rule, message } of onceEach(problems)) {
    // a message may quote a key of an overlay
    io.stdout.write(`${plain(`${formatPlace({ ...place, pointer: '' })} ${severity} ${rule} ${message.trim()}`)}\n`);
  }
  const faults = problems.filter(({ severity }) => severity !== 'info');
  io.stderr.write(faults.length === 0 ? 'The contract is clean.\n' : `${count(faults.length, 'problem')}.\n`);
  return faults.length === 0 ? EXIT.agrees : EXIT.findings;
}

async function lintRest(folder: ContractFolder, io: Io): Promise<LintProblem[]> {
  const [{ lintContract }, { lintFolder }] = await Promise.all([
    import('../../contract/lint/lint.ts'),
    import('../../mock/lint.ts'),
  ]);
  const contract = await loadContract({ folder, assumed: true, signal: io.signal });
  const assumptions = shownPath(folder.assumptions, folder);
  const assumed = (await lintContract(contract)).filter(({ place }) => place.file === assumptions);
  return [...assumed, ...(await lintFolder(contract))];
}
