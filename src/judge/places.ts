import { MOST_TOLD, type Observation, ofSample, type Sample } from './rule.ts';
import { createShape, observe, type Shape } from './shape.ts';
import { typesOfShape } from './shape-text.ts';

interface Facts extends Pick<Observation, 'expected' | 'source' | 'about'> {
  /** Without it, the finding shows the types and the shape of the values. */
  readonly actual?: string;
}

type See = (pointer: string, facts: Facts, value?: unknown) => void;

/** A rule's observations in one answer, one per place. A place that 1,000 items share is seen 1,000 times. */
export function placesIn(sample: Sample, look: (see: See) => void): Observation[] {
  const found = new Map<string, { readonly facts: Facts; readonly shape: Shape; readonly times: number }>();
  look((pointer, facts, value) => {
    const before = found.get(pointer);
    if (before === undefined && found.size > MOST_TOLD) return;
    const { shape, times } = before ?? { shape: createShape(), times: 0 };
    if (value !== undefined) observe(shape, value);
    found.set(pointer, { facts: before?.facts ?? facts, shape, times: times + 1 });
  });
  return [...found].map(([pointer, { facts, shape, times }]) => {
    const { actual, ...others } = facts;
    const seen = actual === undefined ? { actual: typesOfShape(shape), found: shape } : { actual };
    return { ...ofSample(sample), pointer, ...others, ...seen, times };
  });
}
