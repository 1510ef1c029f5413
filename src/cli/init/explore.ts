import type { VerifyOptions } from '../../run/options.ts';
import type { Survey } from '../../run/survey.ts';
import { count, firstFew } from '../../text/words.ts';
import type { Io } from '../command.ts';
import { joinPlain } from '../recordings.ts';
import { type Ask, assertGoing } from './answers.ts';

/** Surveys after the first one: an id that was typed can open a list that shows others. */
export const MOST_ROUNDS = 3;

/**
 * Finds the reads that can be called. Asks for the ids that no answer shows.
 *
 * @returns `parameters`: configured and typed; `unshown`: ids that no answer shows, even if all other ids are known
 */
export async function explore(options: VerifyOptions, skipped: readonly string[], ask: Ask, io: Io) {
  const { survey } = await import('../../run/survey.ts');
  const asked = new Set<string>();
  let parameters = options.parameters ?? {};
  for (let round = 0; ; round += 1) {
    const seen = await survey({ ...options, parameters });
    assertGoing(io);
    if (seen.trouble === null) io.stderr.write(surveyText(seen));
    const lacking = seen.lacking.filter(({ operationId }) => !skipped.includes(operationId));
    const unshown = seen.trouble === null ? await unshownIn(lacking, { ...options, parameters }) : [];
    const answers: Record<string, string> = {};
    for (const name of unshown.filter((each) => round < MOST_ROUNDS && !asked.has(each))) {
      const needing = lacking.filter(({ names }) => names.includes(name)).map(({ operationId }) => operationId);
      const answer = await ask(`${name}, for ${firstFew(needing, 3)} (empty to leave it out): `);
      if (answer !== null) answers[name] = answer;
      asked.add(name);
    }
    if (Object.keys(answers).length === 0) return { seen, parameters, unshown };
    parameters = { ...parameters, ...answers };
  }
}

async function unshownIn(lacking: Survey['lacking'], options: VerifyOptions): Promise<string[]> {
  const { survey } = await import('../../run/survey.ts');
  const names = [...new Set(lacking.flatMap((one) => one.names))];
  const unshown: string[] = [];
  for (const name of names) {
    // its lists were read
    let isUnshown = lacking.some((one) => one.names.every((each) => each === name));
    if (!isUnshown) {
      const others = Object.fromEntries(names.filter((each) => each !== name).map((each) => [each, 'id']));
      const then = await survey({ ...options, parameters: { ...options.parameters, ...others } }, false);
      isUnshown = then.lacking.some((one) => one.names.includes(name));
    }
    if (isUnshown) unshown.push(name);
  }
  return unshown;
}

function surveyText({ readable, empty }: Survey): string {
  const lines = readable.map(({ operationId, origins }) => {
    const notes = Object.entries(origins).map(([name, origin]) => `${name}: ${origin}`);
    return `  ${operationId}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
  });
  const none = empty.map(({ operationId, reason }) => `  ${operationId}: ${reason}`);
  const all = [
    `${count(readable.length, 'operation')} can be read${lines.length + none.length > 0 ? ':' : '.'}`,
    ...lines,
    ...none,
  ];
  return `${joinPlain(all)}\n`;
}
