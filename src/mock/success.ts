import type { Media, Operation, ResponseSpec } from '../spec/contract.ts';
import { isJson } from './validate-body.ts';

/** The successes of an operation in Prism's order of choice: the lowest that is named, a range after its codes. */
export function successesOf({ responses }: Pick<Operation, 'responses'>): readonly ResponseSpec[] {
  const found = responses.filter(({ status }) => /^2(?:\d\d|XX)$/.test(status));
  return found.toSorted((a, b) => (a.status < b.status ? -1 : 1));
}

/** The JSON of a good answer; undefined where it has none. */
export function goodJson(operation: Pick<Operation, 'responses'>): Media | undefined {
  return successesOf(operation)[0]?.content.find(({ type }) => isJson(type));
}
