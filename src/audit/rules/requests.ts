import { circumstancesOf } from '../../contract/conditions.ts';
import type { Contract } from '../../contract/contract.ts';
import { assumedOf } from '../../contract/contract-file.ts';
import { EFFECT_HEADERS, headersWithoutEffect } from '../../contract/effect-headers.ts';
import { excessesOf, limitAt, maximaOf } from '../../contract/limits.ts';
import { candidatesFor, pathShape } from '../../judge/unmatched-paths.ts';
import { is2xx } from '../../model/exchange.ts';
import type { SecretKeys } from '../../redact/keys.ts';
import { percentDecoded } from '../../redact/patterns.ts';
import { factsOf } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { count } from '../../text/words.ts';
import { type AuditRule, type Case, judgeEach, type RuleObservation, subject } from '../rule.ts';
import { requestHeader, type Sent } from '../traffic.ts';

export const deprecatedOperationCalled: AuditRule<'deprecated-operation-called'> = {
  id: 'deprecated-operation-called',
  title: 'A deprecated operation is called',
  severity: 'warning',
  message: ({ expected }, operation) =>
    `${subject(operation)} is deprecated and will be withdrawn; its successor is ${expected}.`,
  needs: 'a call of a documented operation',
  evidence: (occasions, kept) => `${count(occasions, 'call')}, ${kept} of operations that are not deprecated`,
  judge({ traffic, contract }) {
    return judgeEach(
      traffic.calls.filter(({ operation }) => operation !== null),
      ({ operation }) => {
        if (!operation?.deprecated) return [];
        const successor = contract.operation(operation.successor ?? '');
        const place = successor && `${successor.method ?? ''} ${successor.path ?? successor.operationId}`;
        const method =
          successor && successor.method !== operation.method
            ? `, with ${successor.method} in place of ${operation.method}`
            : '';
        return [
          {
            operationId: operation.operationId,
            expected: place === undefined ? 'not known' : `${place}${method}`,
            actual: `${operation.method} ${operation.path}`,
            source: operation.pointer,
          },
        ];
      },
    );
  },
};

export const unknownOperation: AuditRule<'unknown-operation'> = {
  id: 'unknown-operation',
  title: 'A request that matches no documented operation',
  severity: 'warning',
  exceptions: 'error if the path is documented for another method; info if it was served',
  message: ({ expected, actual }) => `No operation matches ${actual}; ${expected}.`,
  needs: 'a call',
  evidence: (occasions, kept) => `${count(occasions, 'call')}, ${kept} of documented operations`,
  judge: ({ traffic, contract }) =>
    judgeEach(traffic.calls, (sent) =>
      sent.operation === null ? [{ operationId: null, ...expectedOf(sent, contract), actual: withoutIds(sent) }] : [],
    ),
};

const PLACEHOLDER = /^(?:undefined|null|none|nil|nan|\[object \w+\]|\$?\{.*\}|<.*>|:[a-z]\w*)$/i;

export const placeholderInPath: AuditRule<'placeholder-in-path'> = {
  id: 'placeholder-in-path',
  title: 'A placeholder in place of an id',
  severity: 'error',
  message: ({ actual }, operation) => `${subject(operation)} was called with ${actual} in its path.`,
  needs: 'a call',
  evidence: (occasions, kept) => `${count(occasions, 'call')}, ${kept} without a placeholder in the path`,
  judge: ({ traffic }) =>
    judgeEach(traffic.calls, ({ entry, operationId }) => {
      const segments = entry.path
        .replace(/[?#].*$/s, '')
        .split('/')
        .map(percentDecoded);
      const actual = segments.find((segment) => PLACEHOLDER.test(segment));
      return actual === undefined ? [] : [{ operationId, expected: 'a value for each parameter of the path', actual }];
    }),
};

export const headerWithoutEffect: AuditRule<'header-without-effect'> = {
  id: 'header-without-effect',
  title: 'A header that asks for a guarantee that no document gives',
  reference: 'RFC 9110, 13.1; draft-ietf-httpapi-idempotency-key-header',
  severity: 'info',
  message: ({ actual }, operation) =>
    `${subject(operation)} was called with ${actual}. The reference does not document this header, so do not rely on it.`,
  needs: 'a write',
  evidence: (occasions, kept) => `${count(occasions, 'write')}, ${kept} without such a header`,
  judge: ({ traffic }) =>
    judgeEach(
      traffic.calls.filter(({ operation }) => operation !== null && headersWithoutEffect(operation).length > 0),
      ({ operation, entry }) =>
        (operation === null ? [] : headersWithoutEffect(operation))
          .filter((name) => requestHeader(entry, name) !== undefined)
          .map((name) => ({
            operationId: operation?.operationId ?? null,
            expected: 'only headers that a document of the API names',
            actual: name,
            detail: `${EFFECT_HEADERS[name]} defines it.`,
          })),
    ),
};

type Contradiction = Omit<RuleObservation, 'evidence'>;

export const requestContradictsContract: AuditRule<'request-contradicts-contract'> = {
  id: 'request-contradicts-contract',
  title: 'A request that breaks the documented schema or limits',
  severity: 'error',
  exceptions: 'warning for a recorded fact, or if the currency of a limit is unknown; info if its unit is not shown',
  message: ({ pointer, expected, actual }, operation) =>
    `${subject(operation)}: ${pointer === undefined || pointer === '' ? 'the body' : pointer} must be ${expected}, but is ${actual}.`,
  needs: 'a call with a body',
  evidence: (occasions, kept) => `${count(occasions, 'body', 'bodies')} sent, ${kept} as documented`,
  judge(of) {
    const calls = of.traffic.calls.filter((sent) => schemaPointer(sent) !== null);
    const judged = judgeEach(calls, (sent) => contradictions(sent, schemaPointer(sent) ?? '', of));
    const bodies = calls.filter(({ entry }) => entry.request.body !== null).length;
    return { ...judged, occasions: bodies, kept: Math.max(0, bodies - (judged.occasions - judged.kept)) };
  },
};

function expectedOf(sent: Sent, contract: Contract): Pick<RuleObservation, 'expected' | 'severity'> {
  const { match } = sent;
  if (match?.kind === 'path') {
    const methods = match.pathMatches.map((operation) => `${operation.method} (${operation.operationId})`);
    return { expected: `the path takes ${methods.join(', ')}`, severity: 'error' };
  }
  const named = contract.operations.filter(({ located }) => located === null);
  const { method, path } = sent.entry;
  const alike = candidatesFor(contract, { method, shape: pathShape(contract, path) });
  const summaries = alike.map((operationId) => contract.operation(operationId)?.summary ?? operationId);
  const which = alike.length > 0 ? summaries.join(', ') : `${named.length} operations`;
  const served = sent.status !== null && is2xx(sent.status);
  return {
    expected: named.length === 0 ? 'the path is not documented' : `an overlay can locate known names: ${which}`,
    severity: served ? 'info' : 'warning',
  };
}

function withoutIds({ entry }: Sent): string {
  const segments = entry.path.replace(/[?#].*$/s, '').split('/');
  const shown = segments.map((segment) => (/\d|%|\[redacted/.test(segment) || segment.length > 30 ? '{…}' : segment));
  return `${entry.method} ${shown.join('/')}`;
}

function schemaPointer({ operation }: Sent): string | null {
  const media = operation?.requestBody?.content.find(({ type, schema }) => /json/.test(type) && schema !== undefined);
  return media === undefined ? null : joinPointer(media.pointer, 'schema');
}

function contradictions(sent: Sent, schema: string, { schemas, contract, keys }: Case): Contradiction[] {
  const { operationId, entry } = sent;
  const { body } = entry.request;
  if (body === null || body.state !== 'complete') return [];
  if (body.kind === 'text' && /json/.test(requestHeader(entry, 'content-type') ?? '')) {
    return [{ operationId, expected: 'JSON', actual: 'no JSON', source: schema }];
  }
  if (body.kind !== 'json') return [];
  const problems = schemas
    .problems(schema, body.json)
    .filter(({ at, keyword }) => (entry.shapes ? STRUCTURE.has(keyword) : keyword === 'type' || !isMasked(at, keys)));
  const found = problems.flatMap((problem): Contradiction[] => {
    const provenance = contract.provenanceOf(problem.schema);
    if (provenance === 'assumed') return [];
    const severity = provenance === 'documented' ? 'error' : 'warning';
    const { at: pointer, expected, actual, schema: source } = problem;
    return [{ operationId, pointer, expected, actual, source, provenance, severity }];
  });
  const limits = findLimitBreaks(contract, schema, body.json).map((limit) => ({ operationId, ...limit }));
  return [...found, ...limits];
}

const STRUCTURE: ReadonlySet<string> = new Set(['type', 'required', 'additionalProperties', 'unevaluatedProperties']);

/** If the journal masks a value by its class, only the type can be judged. */
function isMasked(at: string, keys: SecretKeys): boolean {
  return at.split('/').some((key) => keys.isSensitive(key));
}

const CURRENCY_UNTOLD = 'The request names no currency, and the value exceeds the maximum of every currency.';

const UNIT_NOT_SHOWN = 'The reference does not show the unit of this limit, so this check assumes the major unit.';

/** False if `x-not-shown` of the object or of the field contains `limitUnit`. */
function isUnitShown(contract: Contract, schema: string, field: string): boolean {
  const object = factsOf(contract, [schema], { alternatives: 0 });
  return ![object, object.member(field)].some((node) => {
    const words = node.stated('x-not-shown')?.value;
    return Array.isArray(words) && words.includes('limitUnit');
  });
}

type LimitBreak = Omit<Contradiction, 'source'> & { readonly source: string };

export function findLimitBreaks(contract: Contract, schema: string, body: unknown): LimitBreak[] {
  const { currencyOf } = circumstancesOf({ assumed: assumedOf(contract.folder.assumed, 'url') });
  const currency = currencyOf(body);
  const limits = maximaOf(contract, schema);
  return excessesOf(limits, body, currency).flatMap(({ field, maximum }): LimitBreak[] => {
    const source = limitAt(contract, schema, field) ?? schema;
    const provenance = contract.provenanceOf(source);
    if (provenance === 'assumed') return [];
    const all = currency === null ? Object.entries(limits?.[field] ?? {}) : [[currency, maximum]];
    return [
      {
        pointer: joinPointer('', field),
        expected: `at most ${all.map((limit) => limit.join(' ')).join(', ')}`,
        actual: 'more',
        source,
        ...(isUnitShown(contract, schema, field)
          ? { provenance, severity: currency !== null && provenance === 'documented' ? 'error' : 'warning' }
          : { provenance: 'assumed', severity: 'info', detail: UNIT_NOT_SHOWN }),
        ...(currency === null && { detail: CURRENCY_UNTOLD }),
      },
    ];
  });
}
