import type { Report } from '../model/report.ts';
import { createRedactor, type Redactor } from '../redact/redact.ts';

export interface RenderOptions {
  readonly color?: boolean;
  /** Width of the terminal, 100 by default. */
  readonly columns?: number | undefined;
  readonly redactor?: Redactor;
  /** The checkout. Formats that put findings on a line name files relative to it. */
  readonly root?: string | undefined;
}

export type Render = (report: Report, options?: RenderOptions) => string;

/** Keys of our own texts, ids and times. They must not be masked as account numbers. */
const OURS: ReadonlySet<string> = new Set([
  'fingerprint',
  'rule',
  'engineRule',
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
  'lastConfirmed',
  'previous',
  'new',
  'known',
  'gone',
  'at',
]);

function redacted(report: Report, redactor: Redactor = createRedactor()): Report {
  const clean = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') {
      if (OURS.has(key)) return value;
      if (key === 'curl') return redactedCommand(value, redactor);
      return key === 'baseUrl' ? redactor.target(value) : redactor.text(value);
    }
    if (Array.isArray(value)) return value.map((item) => clean(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, clean(inner, name)]));
  };
  return clean(report, '') as Report;
}

/** Word by word, because the key of a secret must not mask the variable that replaces it. */
function redactedCommand(command: string, redactor: Redactor): string {
  return command.replace(/[^\s"'=:&?{}[\],/]+/g, (word) => (word.startsWith('$') ? word : redactor.text(word)));
}

export function renderJson(report: Report, redactor?: Redactor): string {
  return `${JSON.stringify(redacted(report, redactor), null, 2)}\n`;
}

export function redacting(render: (report: Report, options: RenderOptions) => string): Render {
  return (report, options = {}) => render(redacted(report, options.redactor), options);
}
