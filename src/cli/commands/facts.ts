import { EXIT, type ExitCode } from '../../errors.ts';
import type { Fact, Facts } from '../../facts/facts.ts';
import { plain } from '../../text/plain.ts';
import { count } from '../../text/words.ts';
import { type Args, usage } from '../args.ts';
import type { Command, Io } from '../command.ts';
import { FACT_FLAGS, openFacts } from '../facts.ts';

export const command: Command = {
  synopsis: '[OPERATION] [POINTER]',
  flags: {
    ...FACT_FLAGS,
    format: { value: 'text|json', help: 'format of the facts (text)' },
  },
  exits: {
    [EXIT.agrees]: 'the facts were printed, or unknown',
    [EXIT.interrupted]: 'interrupted',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const [operationId, pointer, stray] = args.positionals;
  if (stray !== undefined)
    throw usage('facts takes an operation and a pointer.', 'The pointer names one field, for example /price.');
  const format = args.choice('format', ['text', 'json']) ?? 'text';
  const { contracts, runs } = await openFacts(args, io);
  const [{ askFacts }, { seenIn }] = await Promise.all([
    import('../../facts/facts.ts'),
    import('../../report/confirmed.ts'),
  ]);
  const facts = askFacts(contracts, operationId, pointer, seenIn(runs));
  io.stdout.write(format === 'json' ? `${JSON.stringify(facts, null, 2)}\n` : factsText(facts));
  return EXIT.agrees;
}

function factsText({ status, operation, pointer, facts, near, gaps = [] }: Facts): string {
  const asked = [operation, pointer].filter((part) => part !== null).join(' ');
  const lines = [
    ...(status === 'unknown' ? [`unknown: no source states ${asked}.`] : []),
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
    ...facts.flatMap(factLines),
    ...(gaps.length > 0 ? [`Not in the reference for ${operation}: ${gaps.join(', ')}`] : []),
  ];
  return `${lines.map(plain).join('\n')}\n`;
}

function factLines(fact: Fact): string[] {
  const { states, source, provenance, records, seen, gaps, filled } = fact;
  const { name, ...others } = states;
  const title = fact.in === 'operation' ? String(name) : `${fact.in} ${fact.pointer}`;
  const stated = Object.entries(others).map(([word, value]) => {
    return `${word} ${Array.isArray(value) ? value.join(' or ') : String(value)}`;
  });
  const details = [
    stated.join(', '),
    [source.reference, `${source.file}:${source.line}`].filter((part) => part !== null).join(', '),
    records === null ? '' : count(records, 'recorded answer'),
    seen === undefined ? '' : `seen from ${seen.first.slice(0, 10)} to ${seen.last.slice(0, 10)}`,
    gaps.length === 0 ? '' : `not in the reference: ${gaps.join(', ')}`,
    filled.length === 0 ? '' : `only in a recording or an overlay: ${filled.join(', ')}`,
  ];
  return [`${title}: ${provenance}`, ...details.filter((line) => line !== '').map((line) => `  ${line}`)];
}
