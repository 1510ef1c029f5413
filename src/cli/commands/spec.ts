import { isAbsolute, join } from 'node:path';
import { EXIT, type ExitCode } from '../../errors.ts';
import { loadContract } from '../../spec/load.ts';
import { toJson, toYaml } from '../../spec/serialize.ts';
import { stampProvenance } from '../../spec/stamp.ts';
import type { Args, Command, Io } from '../command.ts';
import { CONTRACT_FLAG, folderOf } from '../contract.ts';
import { noticeText } from '../notices.ts';

/** `banking-api spec`: the bundled contract on stdout, what the loader noticed on stderr. */
export const specCommand: Command = {
  name: 'spec',
  summary: 'print the bundled contract with its overlays',
  flags: {
    contract: CONTRACT_FLAG,
    overlay: { value: 'FILE', repeatable: true, help: 'apply this overlay to the contract first' },
    format: { value: 'yaml|json', help: 'format of the document (yaml)' },
    provenance: { help: 'write x-provenance into each part: documented, observed or assumed' },
  },
  exits: {
    [EXIT.agrees]: 'the document was printed',
    [EXIT.usage]: 'wrong usage, or a file that is not there',
    [EXIT.contract]: 'the spec or an overlay cannot be loaded',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const format = args.choice('format', ['yaml', 'json']) ?? 'yaml';
  const overlays = args.list('overlay').map((file) => (isAbsolute(file) ? file : join(io.cwd, file)));
  const contract = await loadContract({ folder: await folderOf(args, io), overlays });
  io.stderr.write(noticeText(contract.notices));
  const document = args.switch('provenance') ? stampProvenance(contract) : contract.document;
  io.stdout.write(format === 'json' ? toJson(document) : toYaml(document));
  return EXIT.agrees;
}
