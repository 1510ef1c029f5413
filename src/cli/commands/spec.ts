import { stampProvenance } from '../../contract/stamp.ts';
import { EXIT, type ExitCode } from '../../errors.ts';
import { toJson, toYaml } from '../../generate/serialize.ts';
import type { Args, Command, Io } from '../command.ts';
import { CONTRACT_FLAGS, contractOf } from '../contract.ts';

/** `banking-api spec`: the bundled contract on stdout, what the loader noticed on stderr. */
export const specCommand: Command = {
  name: 'spec',
  summary: 'print the bundled contract with its overlays',
  flags: {
    ...CONTRACT_FLAGS,
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
  const contract = await contractOf(args, io);
  const document = args.switch('provenance') ? stampProvenance(contract) : contract.document;
  io.stdout.write(format === 'json' ? toJson(document) : toYaml(document));
  return EXIT.agrees;
}
