import { joinPointer } from '../../pointer.ts';
import type { Keys } from '../../redact/keys.ts';
import { findLimitBreaks } from '../limits.ts';
import type { AuditRule, Case, Observation } from '../rule.ts';
import { groupBy, headerOf, type Sent } from '../traffic.ts';

type Seen = Omit<Observation, 'evidence'> & { readonly sent: Sent };

/** The body of a request is as the reference (or a recording) says, and keeps the documented limits. */
export const requestContradictsContract: AuditRule = {
  id: 'request-contradicts-contract',
  judge(of) {
    let bodies = 0;
    const seen = of.traffic.calls.flatMap((sent) => {
      const schema = schemaPointer(sent);
      if (schema === null) return [];
      if (sent.entry.request.body !== null) bodies += 1;
      return contradictions(sent, schema, of);
    });
    const groups = groupBy(seen, (one) => JSON.stringify([one.operationId, one.pointer, one.expected, one.actual]));
    const wrong = new Set(seen.map(({ sent }) => sent)).size;
    return {
      occasions: bodies,
      kept: Math.max(0, bodies - wrong),
      observations: [...groups.values()].flatMap((group): Observation[] => {
        const [first] = group;
        if (first === undefined) return [];
        const { sent: _, ...observation } = first;
        return [{ ...observation, evidence: group.map(({ sent }) => sent), times: group.length }];
      }),
    };
  },
};

function schemaPointer({ operation }: Sent): string | null {
  const media = operation?.requestBody?.content.find(({ type, schema }) => /json/.test(type) && schema !== undefined);
  return media === undefined ? null : joinPointer(media.pointer, 'schema');
}

function contradictions(sent: Sent, schema: string, { schemas, contract, keys }: Case): Seen[] {
  const operationId = sent.operation?.operationId ?? null;
  const { body } = sent.entry.request;
  if (body === null || body.state !== 'complete') return [];
  if (body.kind === 'text' && /json/.test(headerOf(sent.entry, 'content-type') ?? '')) {
    return [{ operationId, expected: 'JSON', actual: 'no JSON', source: schema, sent }];
  }
  if (body.kind !== 'json') return [];
  const problems = schemas
    .problems(schema, body.json)
    .filter(({ at, keyword }) => keyword === 'type' || !isMasked(at, keys));
  const seen = problems.flatMap((problem): Seen[] => {
    const provenance = contract.provenanceOf(problem.schema);
    if (provenance === 'assumed') return [];
    return [
      {
        operationId,
        pointer: problem.at,
        expected: problem.expected,
        actual: problem.actual,
        source: problem.schema,
        provenance,
        severity: provenance === 'documented' ? 'error' : 'warning',
        sent,
      },
    ];
  });
  const limits = findLimitBreaks(contract, schema, body.json).map((limit): Seen => ({ operationId, ...limit, sent }));
  return [...seen, ...limits];
}

/** Where the journal holds the class of a value in place of the value, only its type can be judged. */
function isMasked(at: string, keys: Keys): boolean {
  return at.split('/').some((key) => keys.isSensitive(key));
}
