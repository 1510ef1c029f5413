import { ToolError } from '../errors.ts';
import { jsonFaultPosition, positionInJson } from '../files/json.ts';
import { readTextFile } from '../files/read.ts';
import { schemaCheck } from '../files/schema.ts';
import type { Report } from '../model/report.ts';
import { parseJson } from '../text/decode.ts';

/** Throws `ToolError` `file-missing`, `file-unreadable`, or `report-invalid` with its place. */
export async function readReport(file: string): Promise<Report> {
  const text = await readTextFile(file);
  const value = parseJson(text);
  if (value === undefined)
    throw new ToolError('report-invalid', 'This is no JSON.', { place: { file, ...jsonFaultPosition(text) } });
  const version = (value as { reportVersion?: unknown } | null)?.reportVersion;
  if (typeof version === 'number' && version !== 1) {
    throw new ToolError('report-invalid', `This report is of version ${version}; this tool reads version 1.`, {
      place: { file, ...positionInJson(text, '/reportVersion') },
    });
  }
  const [problem] = (await schemaCheck('report'))(value);
  if (problem === undefined) return value as Report;
  throw new ToolError('report-invalid', problem.message, {
    place: { file, ...positionInJson(text, problem.pointer), pointer: problem.pointer },
    hint: 'A report is what --report json writes; see schemas/report.schema.json.',
  });
}
