import { namedFields, walkFields } from '../fields.ts';
import { answerSchemas, describedParts } from '../responses.ts';
import type { Occasion, Run, Sample, Shown } from '../rule.ts';
import { createKinds } from './kinds.ts';

interface Collected extends Shown {
  readonly fields: Set<string>;
  readonly kinds: Map<string, Set<string>>;
  named: boolean;
  json: boolean;
  refused: boolean;
}

type KindsOf = ReturnType<typeof createKinds>;

/** What the good answers of each operation let be seen. The token endpoint is built by others. */
export function* whatWasShown(run: Run, occasion: Occasion): Generator<null, ReadonlyMap<string, Shown>> {
  const shown = new Map<string, Collected>();
  const kindsOf = createKinds(run.contract);
  for (const sample of run.samples) {
    const { operation, content } = sample;
    if (operation.auth === 'issues') continue;
    const nothing = { fields: new Set<string>(), kinds: new Map(), named: false, json: false, refused: false };
    const own: Collected = shown.get(operation.operationId) ?? nothing;
    shown.set(operation.operationId, own);
    own.json ||= content.kind === 'json';
    if (occasion === 'diff') collectSchemas(own, sample, run, kindsOf);
    else collect(own, sample, run, kindsOf);
    yield null;
  }
  for (const [{ purpose, operationId }, { kind }] of run.refusals) {
    const own = shown.get(operationId);
    if (own !== undefined) own.refused ||= purpose === 'refuse-token' && kind !== 'inconclusive';
  }
  return shown;
}

function collect(own: Collected, sample: Sample, { contract }: Run, kindsOf: KindsOf): void {
  for (const { schema, value, at } of describedParts(contract, sample)) {
    walkFields(contract, schema, value, at, {
      value: (place, _, schemas) => addKinds(own, place, kindsOf(schemas)),
      object(place) {
        own.named ||= place === '' || place === '/*';
      },
      known: (place) => void own.fields.add(lastOf(place)),
    });
  }
}

/** Of what is compared without a network only the schemas are known. */
function collectSchemas(own: Collected, sample: Sample, { contract }: Run, kindsOf: KindsOf): void {
  for (const { schema, ofItems } of answerSchemas(contract, sample.operation, sample.status)) {
    for (const place of namedFields(contract, schema, '')) {
      own.fields.add(lastOf(place.at));
      own.named ||= !ofItems && /^(?:\/\*)?\/[^/]*$/.test(place.at);
      addKinds(own, place.at, kindsOf([place.schema]));
    }
  }
}

function addKinds({ kinds }: Collected, place: string, wanted: readonly string[]): void {
  for (const kind of wanted) kinds.set(kind, (kinds.get(kind) ?? new Set<string>()).add(place));
}

function lastOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}
