import { rebuiltRule } from '../rebuilt.ts';
import type { SampleRule } from '../rule.ts';

/** Fields that were required together stand in another object than before: the answer was wrapped, unwrapped or regrouped. */
export const fieldsMoved: SampleRule = rebuiltRule('fields-moved');
