import type { Report } from '../model/report.ts';
import type { Redactor } from '../redact/redact.ts';
import { redacted } from './format.ts';

export function renderJson(report: Report, redactor?: Redactor): string {
  return `${JSON.stringify(redacted(report, redactor), null, 2)}\n`;
}
