/** Keywords that a recording writes of a value without fields. */
export const LEAF_WORDS = [
  'type',
  'format',
  'pattern',
  'enum',
  'x-seen',
  'x-only-null',
  'x-contradicts-reference',
  'x-always-there',
  '$ref',
] as const;
