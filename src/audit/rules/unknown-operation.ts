import type { Contract } from '../../contract/contract.ts';
import { candidatesFor } from '../../judge/candidates.ts';
import { pathShape } from '../../judge/path-shape.ts';
import type { AuditRule, Observation } from '../rule.ts';
import { groupBy, type Sent } from '../traffic.ts';

/** Only documented operations are called; one that is known by name only is placed by an overlay. */
export const unknownOperation: AuditRule = {
  id: 'unknown-operation',
  judge({ traffic, contract }) {
    const unknown = traffic.calls.filter(({ operation }) => operation === null);
    const groups = groupBy(unknown, (sent) => shapeOf(sent));
    return {
      occasions: traffic.calls.length,
      kept: traffic.calls.length - unknown.length,
      observations: [...groups].flatMap(([shape, group]): Observation[] => {
        const [first] = group;
        if (first === undefined) return [];
        return [
          {
            operationId: null,
            ...expectedOf(first, contract),
            actual: shape,
            evidence: group,
            times: group.length,
          },
        ];
      }),
    };
  },
};

function expectedOf(sent: Sent, contract: Contract): Pick<Observation, 'expected' | 'severity'> {
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
  const served = sent.status !== null && sent.status >= 200 && sent.status < 300;
  return {
    expected:
      named.length === 0 ? 'the path is not documented' : `an overlay may place what is known by name only: ${which}`,
    severity: served ? 'info' : 'warning',
  };
}

/** Method and path, with what looks like an id left out. */
function shapeOf({ entry }: Sent): string {
  const segments = entry.path.replace(/[?#].*$/s, '').split('/');
  const shown = segments.map((segment) => (/\d|%|\[redacted/.test(segment) || segment.length > 30 ? '{…}' : segment));
  return `${entry.method} ${shown.join('/')}`;
}
