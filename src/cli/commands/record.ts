import { resolve } from 'node:path';
import type { LoadOptions } from '../../contract/contract.ts';
import { EXIT, type ExitCode } from '../../errors.ts';
import { assertWritable, writeWhole } from '../../files/write.ts';
import type { Recording } from '../../learn/recording.ts';
import { createRedactor } from '../../redact/redact.ts';
import { createdText } from '../../report/sections/created.ts';
import { plain } from '../../text/plain.ts';
import { count } from '../../text/words.ts';
import { type Args, usage } from '../args.ts';
import type { Command, Io } from '../command.ts';
import { configOf, RUN_FLAGS } from '../config.ts';
import { loadAnnounced, noticeText } from '../contract.ts';
import { changeLines, joinPlain, leftOutText, readRecording, settledText, writeBeside } from '../recordings.ts';
import { redactorOf } from '../secrets.ts';
import { VERBOSE_FLAG, verbosePrinter } from '../verbose.ts';
import { createTalk, optionsOf } from './verify.ts';

const MOST_SAMPLES = 100;

export const command: Command = {
  flags: {
    out: {
      value: 'FILE',
      help: 'overlay to write; new shapes are merged into an existing one',
    },
    ...RUN_FLAGS,
    samples: { value: 'N', help: 'answers per read (until nothing new appears)' },
    fresh: { help: 'start over instead of merging' },
    enums: { help: 'also learn the values of fields with few distinct values' },
    from: { value: 'FILE', help: 'learn from a journal (NDJSON) or a capture (.har) without sending anything' },
    ...VERBOSE_FLAG,
  },
  exits: {
    [EXIT.agrees]: 'the overlay was written',
    [EXIT.usage]: 'usage or configuration error, unreadable or unwritable file, or --out is not a recording',
    [EXIT.inconclusive]: 'nothing learned, no file written',
    [EXIT.interrupted]: 'interrupted; the overlay has what was learned so far',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const file = resolve(io.cwd, args.required('out', 'the overlay to write'));
  const from = args.text('from');
  const live = ['target', 'allow', 'samples', 'verbose'].find((name) => args.switch(name));
  if (from !== undefined && live !== undefined) throw usage(`--from sends no requests. Remove --${live}.`);
  const samples = args.integer('samples', { min: 1, max: MOST_SAMPLES });
  const config = await configOf(args, io, { sends: from === undefined });
  const { folder } = config;
  await assertWritable(file);
  const over = await readRecording(file, folder);
  // A target must not be measured against the recording that is being replaced.
  const overlays = config.overlays.filter((overlay) => overlay !== file);
  const enums = args.switch('enums');
  const fresh = args.switch('fresh');
  if (from !== undefined)
    return fromTraffic(resolve(io.cwd, from), { file, over, below: { folder, overlays }, enums, fresh, io });

  const { record } = await import('../../run/record.ts');
  const talk = createTalk(args, io, config);
  const redactor = redactorOf(io);
  const print = await verbosePrinter(args, talk.line, () => redactor);
  const { recording, target, missed, leftOut, convergences, contradicted, exitCode } = await record({
    ...optionsOf({ ...config, overlays }),
    ...(samples === undefined ? {} : { samples }),
    enums,
    over,
    fresh,
    signal: io.signal,
    ...(print && { redactor, onExchange: print }),
    onEvent: (event) => {
      if (event.kind !== 'created') talk.event(event);
      else for (const each of event.created) io.stderr.write(`  ${plain(createdText(each))}\n`);
    },
  }).finally(talk.end);
  const lines = missed.map(({ operationId, reason }) => `  ${operationId}: ${reason}`);
  if (lines.length > 0) io.stderr.write(`Not learned:\n${joinPlain(lines)}\n`);
  io.stderr.write(leftOutText(leftOut));
  if (contradicted.length > 0) {
    const facts = contradicted.map(({ operationId, message }) => `  ${operationId}: ${message}`);
    io.stderr.write(
      `Not recorded, because they contradict the documentation (verify reports them):\n${joinPlain(facts)}\n`,
    );
  }
  if (recording !== null && convergences.length > 0) io.stderr.write(`${settledText(convergences)}\n`);
  if (recording === null) {
    io.stderr.write(NOTHING);
    return exitCode;
  }
  if (target.kind === 'mock') io.stderr.write('The target is a mock, so most answers are invented.\n');
  // A recording of a mock needs the assumed operations, so it is loaded with them.
  const assumed = target.kind === 'mock' || config.target === 'mock';
  await save(recording, { file, over, below: { folder, overlays, assumed }, io });
  return exitCode;
}

const NOTHING = 'Nothing learned, no file written.\n';

interface RecordingFile {
  readonly file: string;
  readonly over: string | undefined;
  readonly below: LoadOptions;
  readonly io: Io;
}

async function fromTraffic(
  source: string,
  output: RecordingFile & { readonly enums: boolean; readonly fresh: boolean },
): Promise<ExitCode> {
  const { io, below, over, enums, fresh } = output;
  const { knowing } = await import('../../learn/load-merged.ts');
  const { locatingActions, recordTraffic } = await import('../../learn/traffic.ts');
  const contract = await loadAnnounced(below, io);
  const known = await knowing(over, below, contract);
  const learned = await recordTraffic(source, contract, { enums, over, fresh, known });
  if (learned.torn !== null) io.stderr.write(`Line ${learned.torn} of the journal is incomplete and was ignored.\n`);
  const { elsewhere, pages, bodiless } = learned;
  if (elsewhere > 0) io.stderr.write(`${count(elsewhere, 'exchange')} with other addresses ignored.\n`);
  if (elsewhere > 0 && learned.exchanges === 0) io.stderr.write('No path starts like a path of the contract.\n');
  if (pages > 0) io.stderr.write(`${count(pages, 'exchange')} for pages, scripts and other assets ignored.\n`);
  if (bodiless > 0) io.stderr.write(`${count(bodiless, 'answer')} without a body ignored.\n`);
  io.stderr.write(leftOutText(learned.leftOut));
  if (learned.recording !== null) await save(learned.recording, output);
  if (learned.strays.length > 0) {
    const redactor = createRedactor();
    const head = 'No operation has these paths. If you know the operation, add its action to your own overlay:\n';
    io.stdout.write(`${head}${joinPlain(redactor.text(locatingActions(learned.strays)).trimEnd().split('\n'))}\n`);
  }
  if (learned.recording !== null) return EXIT.agrees;
  io.stderr.write(NOTHING);
  return EXIT.inconclusive;
}

async function save(recording: Recording, { file, over, below, io }: RecordingFile): Promise<void> {
  const { assertLoads } = await import('../../learn/load-merged.ts');
  const notices = await assertLoads(file, recording.text, below);
  if (recording.edited && over !== undefined) {
    const before = await writeBeside(file, 'before', over);
    io.stderr.write(`${file} was edited, so record rewrote it. The edited file is now ${before}.\n`);
  }
  if (recording.edits !== null) {
    const edits = await writeBeside(file, 'edits', recording.edits);
    io.stderr.write(`Your edits are in ${edits}: add it with --overlay, after the recording.\n`);
  }
  if (recording.text !== over) await writeWhole(file, recording.text);
  if (recording.changes.length > 0) {
    io.stderr.write(`Changed since the last recording:\n${changeLines(recording.changes)}\n`);
  }
  io.stderr.write(noticeText(notices));
  const state = over === undefined ? 'new' : recording.text === over ? 'unchanged' : 'updated';
  const lines = recording.actions.map(({ description, update }) => {
    const responses = update.responses as Readonly<Record<string, { readonly 'x-samples': number }>>;
    const seen = Object.entries(responses).map(([status, response]) => `${status} (${response['x-samples']})`);
    return `  ${description}: ${seen.join(', ')}`;
  });
  io.stdout.write(`${file}: ${state}, ${count(lines.length, 'operation')} (status and number of answers)\n`);
  io.stdout.write(`${joinPlain(lines)}\n`);
}
