import type { Kind } from './change.ts';
import { ACCESS, FAILING, OUTAGE, STATUS, TOKEN, UNCLEAR, WITHDRAWN } from './changes-answers.ts';
import { ASSUMED, DOCUMENTED, NEW, RECORDED, STRUCTURE } from './changes-fields.ts';

/** Everything that the corpus switches on, by kind. */
export const KINDS: readonly Kind[] = [
  DOCUMENTED,
  RECORDED,
  STRUCTURE,
  NEW,
  ASSUMED,
  STATUS,
  WITHDRAWN,
  FAILING,
  TOKEN,
  ACCESS,
  UNCLEAR,
  OUTAGE,
];
