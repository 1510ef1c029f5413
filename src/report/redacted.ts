import type { Report } from '../model/report.ts';
import { createRedactor, type Redactor } from '../redact/redact.ts';

/** Values of our own making under these keys: words, ids and times that must not be mistaken for an account number. */
const OURS: ReadonlySet<string> = new Set([
  'fingerprint',
  'rule',
  'severity',
  'provenance',
  'operationId',
  'successor',
  'located',
  'method',
  'kind',
  'outcome',
  'verdict',
  'command',
  'version',
  'startedAt',
  'expires',
  'firstSeen',
  'lastSeen',
  'withdrawnSince',
  'lastAlive',
]);

/** The report with every text redacted: what each format is rendered from, so that none can forget it. */
export function redacted(report: Report, redactor: Redactor = createRedactor()): Report {
  const clean = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') {
      if (OURS.has(key)) return value;
      return key === 'baseUrl' ? redactor.target(value) : redactor.text(value);
    }
    if (Array.isArray(value)) return value.map((item) => clean(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, clean(inner, name)]));
  };
  return clean(report, '') as Report;
}
