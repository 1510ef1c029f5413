import { ToolError } from '../errors.ts';
import { readTextFile } from '../files/read.ts';
import { schemaCheck } from '../files/schema.ts';
import { parseYaml, positionOf } from '../files/yaml.ts';
import { didYouMean } from '../suggest.ts';
import type { Baseline, BaselineEntry } from './baseline.ts';

/** What an entry need not say. */
const UNSAID = { owner: null, rule: null, operation: null, pointer: null, checks: [] } as const;

/** An entry as it stands in the file (`schemas/baseline.schema.json`). */
type WrittenEntry = Omit<BaselineEntry, keyof typeof UNSAID> & Partial<BaselineEntry>;

/** Reads and checks a baseline. Throws `ToolError` `baseline-invalid` with file, line and column, `file-missing` or `file-unreadable`. */
export async function readBaseline(file: string): Promise<Baseline> {
  return parseBaseline(await readTextFile(file), file);
}

/** {@link readBaseline} of a text; `file` is for messages. */
export async function parseBaseline(text: string, file: string): Promise<Baseline> {
  const value = await parseYaml(text, file, 'baseline-invalid');
  const fail = async (pointer: string, message: string, part: 'key' | 'value', hint?: string): Promise<never> => {
    const position = await positionOf(text, pointer, part);
    throw new ToolError('baseline-invalid', message, {
      place: { file, ...position, ...(pointer === '' ? {} : { pointer }) },
      hint,
    });
  };

  const [problem] = (await schemaCheck('baseline'))(value);
  if (problem !== undefined) {
    const { pointer, message, unknownKey } = problem;
    if (unknownKey !== undefined) {
      const { key, known } = unknownKey;
      const near = didYouMean(key, known).trim();
      const hint = near === '' ? `Known here: ${known.join(', ')}; notes of your own begin with x-.` : near;
      return fail(pointer, message, 'key', hint);
    }
    return fail(pointer, message, 'value', hintFor(pointer));
  }

  const written = (value as { accepted: readonly WrittenEntry[] }).accepted;
  const seen = new Map<string, number>();
  for (const [index, { fingerprint, expires }] of written.entries()) {
    const at = `/accepted/${index}`;
    if (!isDate(expires)) await fail(`${at}/expires`, `There is no day ${expires}.`, 'value');
    const other = seen.get(fingerprint);
    if (other !== undefined) {
      const { line } = await positionOf(text, `/accepted/${other}/fingerprint`);
      await fail(`${at}/fingerprint`, `${fingerprint} is accepted twice, first on line ${line}.`, 'value');
    }
    seen.set(fingerprint, index);
  }
  return { entries: written.map((entry) => ({ ...UNSAID, ...entry })) };
}

/** True for a day of the calendar in the form `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // 2026-02-30 would become the second of March
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function hintFor(pointer: string): string | undefined {
  // digits alone are a number in YAML
  if (pointer.endsWith('/fingerprint'))
    return "A fingerprint is 16 hexadecimal digits in quotes, such as '0123456789abcdef'.";
  if (pointer.endsWith('/expires')) return 'A date looks like 2026-12-31.';
  return undefined;
}
