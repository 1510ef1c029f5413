import type { Redactor } from '../http/redact.ts';
import { redacted } from './redacted.ts';
import type { Report } from './report.ts';

/** The report as JSON (`schemas/report.schema.json`), redacted, with a line end. */
export function renderJson(report: Report, redactor?: Redactor): string {
  return `${JSON.stringify(redacted(report, redactor), null, 2)}\n`;
}
