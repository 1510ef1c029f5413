import { join, parse } from 'node:path';
import type { ContractFolder } from '../contract/folder.ts';
import { DOCUMENT, readTextFile, unlessMissing } from '../files/read.ts';
import { writeWhole } from '../files/write.ts';
import type { Change } from '../learn/changes.ts';
import type { Convergence } from '../learn/convergence.ts';
import { plain } from '../text/plain.ts';

export async function readRecording(file: string, folder: ContractFolder): Promise<string | undefined> {
  const text = await unlessMissing(readTextFile(file, DOCUMENT), undefined);
  const { assertRecording } = await import('../learn/recording.ts');
  if (text !== undefined) await assertRecording(file, text, folder);
  return text;
}

/**
 * Writes a text beside a recording, as NAME.KIND.yaml. If that file exists with another text, a number is added.
 * @returns the path of the file
 */
export async function writeBeside(file: string, kind: 'before' | 'edits', text: string): Promise<string> {
  const { dir, name, ext } = parse(file);
  for (let number = 1; ; number += 1) {
    const path = join(dir, `${name}.${kind}${number === 1 ? '' : `-${number}`}${ext || '.yaml'}`);
    const there = await unlessMissing(readTextFile(path), undefined);
    if (there === undefined) await writeWhole(path, text);
    if (there === undefined || there === text) return path;
  }
}

export function changeLines(changes: readonly Change[]): string {
  return joinPlain(changes.map(changeLine));
}

function changeLine({ sign, target, place, what }: Change): string {
  const [, path = target, method = ''] = /^\$\.paths\['(.*)'\]\.([a-z]+)$/.exec(target) ?? [];
  return `  ${sign} ${`${method.toUpperCase()} ${path}`.trim()} ${place}: ${what}`;
}

export function settledText(convergences: readonly (Convergence & { readonly operationId: string })[]): string {
  const settled = convergences.filter((one) => one.settled && one.different > 1);
  const same = convergences.filter((one) => one.different === 1 && one.answers > 1);
  const open = convergences.filter((one) => !settled.includes(one) && !same.includes(one));
  const lines = [
    ...(settled.length === 0
      ? []
      : [`Settled: ${settled.length} of ${convergences.length} operations. Their last answers showed nothing new.`]),
    ...(open.length === 0 ? [] : ['Not settled:']),
    ...open.map(({ operationId, answers, quiet }) => {
      const last = quiet === 0 ? 'the last one was new' : `nothing new in the last ${quiet}`;
      return `  ${operationId}: ${answers} ${answers === 1 ? 'answer' : 'answers'}, ${last}`;
    }),
    ...(same.length === 0
      ? []
      : [`Always the same answer, so one sample: ${same.map(({ operationId }) => operationId).join(', ')}.`]),
    ...(open.length + same.length === 0
      ? []
      : ['Record again on another day or with other parameters, or run verify --learn. Recordings are merged.']),
  ];
  return joinPlain(lines);
}

export function leftOutText(leftOut: readonly { readonly operationId: string; readonly reason: string }[]): string {
  if (leftOut.length === 0) return '';
  const lines = [...Map.groupBy(leftOut, ({ reason }) => reason)].map(
    ([reason, own]) => `  ${own.map(({ operationId }) => operationId).join(', ')}: ${reason}`,
  );
  return `Ignored answers that do not match their operation (known facts stay):\n${joinPlain(lines)}\n`;
}

export function joinPlain(lines: readonly string[]): string {
  return lines.map(plain).join('\n');
}
