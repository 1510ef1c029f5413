import type { Kind } from './change.ts';
import { ACCESS, FAILING, OUTAGE, STATUS, TOKEN, UNCLEAR, WITHDRAWN } from './changes-answers.ts';
import { EVERYWHERE } from './changes-everywhere.ts';
import { ASSUMED, DOCUMENTED, NEW, RECORDED, STRUCTURE } from './changes-fields.ts';
import { COMPATIBILITY, CUT, PLACES } from './changes-green.ts';
import { CONTENTS, RENAMED } from './changes-names.ts';
import { NULLS, OBJECTS } from './changes-objects.ts';
import { BALANCED, FOREIGN, GONE, LATE, MINORITY, PASSING, REDIRECTED, REFUSED, SERVICES } from './changes-outage.ts';
import { KEYS, RECORDS } from './changes-records.ts';
import { ANNOUNCED, FIRST, TEXTS, TYPES } from './changes-words.ts';

/** All changes of the corpus, by kind. */
export const KINDS: readonly Kind[] = [
  DOCUMENTED,
  TYPES,
  RECORDED,
  STRUCTURE,
  RENAMED,
  CONTENTS,
  EVERYWHERE,
  OBJECTS,
  NULLS,
  RECORDS,
  KEYS,
  NEW,
  FIRST,
  TEXTS,
  ANNOUNCED,
  ASSUMED,
  STATUS,
  WITHDRAWN,
  FAILING,
  TOKEN,
  ACCESS,
  UNCLEAR,
  OUTAGE,
  FOREIGN,
  MINORITY,
  BALANCED,
  LATE,
  PASSING,
  SERVICES,
  GONE,
  REDIRECTED,
  REFUSED,
  CUT,
  PLACES,
  COMPATIBILITY,
];
