import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { EXIT } from '../errors.ts';
import { assertWritable, writeWhole } from '../files/write.ts';
import type { Recording } from '../learn/recording.ts';
import type { Report } from '../model/report.ts';
import type { Args } from './args.ts';
import type { Io } from './command.ts';
import { noticeText } from './contract.ts';
import { changeLines, readRecording, writeBeside } from './recordings.ts';

/** Input and output files of `verify --learn FILE`. The recording itself is never overwritten. */
export async function openLearning(args: Args, { folder, overlays }: Config, io: Io) {
  const flag = args.text('learn');
  if (flag === undefined) return null;
  const file = resolve(io.cwd, flag);
  const next = `${file}.new`;
  const [over, learned] = [await readRecording(file, folder), await readRecording(next, folder)];
  await assertWritable(next);
  return {
    file,
    next,
    overlays: over === undefined || overlays.includes(file) ? overlays : [...overlays, file],
    over: over ?? learned,
    beside: over === undefined || learned === undefined ? [] : [learned],
  };
}

export async function keepLearned(
  { file, next, overlays, over }: NonNullable<Awaited<ReturnType<typeof openLearning>>>,
  learn: () => Recording | null,
  { config, report, io }: { readonly config: Config; readonly report: Report; readonly io: Io },
): Promise<void> {
  const say = (text: string): unknown => io.stderr.write(`${text}\n`);
  const recording = learn();
  if (recording === null) {
    const more = 'the run must exit with 0, or find only additions to the recording';
    const why = report.exitCode === EXIT.agrees ? 'the answers contain no shapes' : more;
    return void say(`Nothing learned: ${why}.`);
  }
  if (over !== undefined && recording.changes.length === 0) return void say(`Nothing new for ${file}.`);
  const { assertLoads } = await import('../learn/load-merged.ts');
  const assumed = report.target.kind === 'mock';
  const below = overlays.filter((overlay) => overlay !== file);
  const notices = await assertLoads(next, recording.text, { folder: config.folder, overlays: below, assumed });
  await writeWhole(next, recording.text);
  io.stderr.write(noticeText(notices));
  if (recording.edits !== null) {
    const edits = await writeBeside(file, 'edits', recording.edits);
    say(`${next} lacks your edits of ${file}. They are in ${edits}: add it with --overlay.`);
  }
  if (recording.changes.length === 0) return void say(`${next}: new, because ${file} did not exist.`);
  say(`Learned into ${next} (${file} is unchanged):\n${changeLines(recording.changes)}`);
}
