import { appendFile } from 'node:fs/promises';
import { ToolError } from '../errors.ts';
import { assertWritable, unwritable, writeWhole } from '../files/write.ts';
import type { Report } from '../model/report.ts';
import { didYouMean } from '../text/suggest.ts';
import type { RenderOptions } from './format.ts';
import { FORMAT_NAMES, FORMATS, type FormatName } from './formats.ts';
import { maskCommands } from './github.ts';
import { renderMarkdown } from './markdown.ts';

export interface ReportRequest {
  readonly format: FormatName;
  readonly file: string | null;
}

/**
 * Parses `FORMAT` and `FORMAT=FILE`. Throws `ToolError('usage')` for an unknown format, or for two reports to the same
 * place.
 */
export function parseReportRequests(texts: readonly string[]): readonly ReportRequest[] {
  const requests = texts.map(parseOne);
  const places = new Set<string | null>();
  for (const { file } of requests) {
    if (places.has(file)) {
      throw file === null
        ? new ToolError('usage', 'Only one report can go to stdout.', {
            hint: 'Write the other reports to files: --report FORMAT=FILE.',
          })
        : new ToolError('usage', `Two reports would be written to ${file}.`);
    }
    places.add(file);
  }
  return requests;
}

function parseOne(text: string): ReportRequest {
  const cut = text.indexOf('=');
  const word = cut < 0 ? text : text.slice(0, cut);
  const file = cut < 0 ? null : text.slice(cut + 1);
  const format = FORMAT_NAMES.find((name) => name === word);
  if (format === undefined) {
    throw new ToolError(
      'usage',
      `There is no report format ${JSON.stringify(word)}.${didYouMean(word, FORMAT_NAMES)}`,
      {
        hint: `Formats: ${FORMAT_NAMES.join(', ')}.`,
      },
    );
  }
  if (file === '') throw new ToolError('usage', `The file of --report ${format}= is missing.`);
  return { format, file };
}

/** Checks before a run that all files are writable. Throws `ToolError('file-unwritable')`. */
export async function assertReportsWritable(requests: readonly ReportRequest[]): Promise<void> {
  for (const { file } of requests) if (file !== null) await assertWritable(file);
}

export interface WriteOptions extends RenderOptions {
  readonly stdout: { write(text: string): unknown };
  readonly summaryFile?: string | undefined;
  /** Secrets that GitHub Actions hides in its log, written before a `github` report on stdout only. */
  readonly masks?: readonly string[];
}

/** Writes every report, redacted. A failure does not stop the remaining ones; the first error is thrown at the end. */
export async function writeReports(
  report: Report,
  requests: readonly ReportRequest[],
  { stdout, summaryFile, masks = [], ...render }: WriteOptions,
): Promise<void> {
  const failures: unknown[] = [];
  for (const { format, file } of requests) {
    if (file === null) {
      const text = FORMATS[format](report, render);
      stdout.write(format === 'github' ? maskCommands(masks) + text : text);
    }
    // colours and width belong to the terminal, not to a file
    else {
      const text = FORMATS[format](report, { ...render, color: false, columns: undefined });
      await writeWhole(file, text).catch((error: unknown) => failures.push(error));
    }
  }
  if (summaryFile && requests.some(({ format }) => format === 'github')) {
    // steps of a job share the file, so append to it
    const text = `${renderMarkdown(report, render)}\n`;
    await appendFile(summaryFile, text).catch((error: unknown) => failures.push(unwritable(summaryFile, error)));
  }
  if (failures.length > 0) throw failures[0];
}
