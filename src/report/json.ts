import type { Report } from '../model/report.ts';
import type { Redactor } from '../redact/redact.ts';
import { redacted } from './format.ts';

/** The report as JSON (`schemas/report.schema.json`), redacted, with a line end. */
export function renderJson(report: Report, redactor?: Redactor): string {
  return `${JSON.stringify(redacted(report, redactor), null, 2)}\n`;
}
