import { rebuiltRule } from '../rebuilt.ts';
import type { SampleRule } from '../rule.ts';

/** An object that holds none of its fields any more, nor do they stand together elsewhere in it. */
export const objectReplaced: SampleRule = rebuiltRule('object-replaced');
