import { EXIT, type ExitCode } from '../../errors.ts';
import type { Args } from '../args.ts';
import type { Command, Io } from '../command.ts';
import { CONTRACT_FLAGS, contractOf } from '../contract.ts';

export const command: Command = {
  flags: {
    ...CONTRACT_FLAGS,
    format: { value: 'yaml|json', help: 'format of the document (yaml)' },
    provenance: { help: 'add x-provenance to each part: documented, observed or assumed' },
  },
  exits: {
    [EXIT.agrees]: 'the document was printed',
    [EXIT.interrupted]: 'interrupted',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const format = args.choice('format', ['yaml', 'json']) ?? 'yaml';
  const contract = await contractOf(args, io);
  // Imported here, so that help does not load a library.
  const [{ toJson, toYaml }, { stampProvenance }] = await Promise.all([
    import('../../generate/serialize.ts'),
    import('../../contract/overlays/stamp.ts'),
  ]);
  const document = args.switch('provenance') ? stampProvenance(contract) : contract.document;
  io.stdout.write(format === 'json' ? toJson(document) : toYaml(document));
  return EXIT.agrees;
}
