import { isAbsolute, join } from 'node:path';
import { EXIT, type ExitCode, formatPlace } from '../../errors.ts';
import { lintContract } from '../../spec/lint.ts';
import { loadContract } from '../../spec/load.ts';
import type { Args, Command, Io } from '../command.ts';
import { CONTRACT_FLAG, folderOf, folderText } from '../contract.ts';

/** `banking-api lint`: one line per problem on stdout, `file:line:column severity rule message`. */
export const lintCommand: Command = {
  name: 'lint',
  summary: 'lint the bundled contract with its overlays',
  flags: {
    contract: CONTRACT_FLAG,
    overlay: { value: 'FILE', repeatable: true, help: 'apply this overlay to the contract first' },
  },
  exits: {
    [EXIT.agrees]: 'no problems',
    [EXIT.findings]: 'problems were found',
    [EXIT.contract]: 'the spec or an overlay cannot be loaded',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const overlays = args.list('overlay').map((file) => (isAbsolute(file) ? file : join(io.cwd, file)));
  const folder = await folderOf(args, io);
  io.stderr.write(folderText(folder));
  const problems = await lintContract(await loadContract({ folder, overlays }));
  for (const { place, severity, rule, message } of problems) {
    io.stdout.write(`${formatPlace({ ...place, pointer: '' })} ${severity} ${rule} ${oneLine(message)}\n`);
  }
  if (problems.length === 0) {
    io.stderr.write('The contract is clean.\n');
    return EXIT.agrees;
  }
  io.stderr.write(`${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}.\n`);
  return EXIT.findings;
}

/** A message may quote a key of an overlay: whatever it holds stays on its line and is shown as text. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
