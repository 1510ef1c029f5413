import { EXIT, type ExitCode } from '../../errors.ts';
import { plainLines } from '../../text/plain.ts';
import type { Args } from '../args.ts';
import type { Command, Io } from '../command.ts';
import { FACT_FLAGS, openFacts } from '../facts.ts';

export const command: Command = {
  flags: FACT_FLAGS,
  exits: {
    [EXIT.agrees]: 'the questions were printed',
    [EXIT.interrupted]: 'interrupted',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const { contracts, runs } = await openFacts(args, io);
  const { questionsText } = await import('../../facts/questions.ts');
  const last = runs.findLast(({ verdict }) => verdict !== 'inconclusive');
  io.stdout.write(plainLines(questionsText(contracts, last)));
  return EXIT.agrees;
}
