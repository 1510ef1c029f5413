/**
 * Values of `x-list` at a query parameter. A word of {@link BOUNDS} is followed by a field: `from FIELD`. With `limit
 * optional`, a request that states no size and no place gets all records.
 */
export const ROLES = ['limit', 'offset', 'page', 'cursor', 'sort'] as const;
/** `from` and `to` include the bound. */
export const BOUNDS = ['is', 'from', 'to'] as const;
/** Values of `x-list` at a property of the object around a list. */
export const MEMBERS = ['total', 'count', 'pages', 'limit', 'offset', 'page', 'more', 'first', 'last', 'next'] as const;
/** The array of the records, if the object has several arrays. */
export const ITEMS = 'items';

export type ParameterWord =
  | { readonly role: (typeof ROLES)[number]; readonly isOptional?: true }
  | { readonly how: (typeof BOUNDS)[number]; readonly field: string };

/** The parsed `x-list` of a query parameter; undefined for an unknown word. */
export function parameterWord(text: string): ParameterWord | undefined {
  const [word = '', field] = text.split(' ');
  const how = BOUNDS.find((bound) => bound === word);
  const role = ROLES.find((one) => one === word);
  if (how && field) return { how, field };
  if (text === 'limit optional') return { role: 'limit', isOptional: true };
  return role && field === undefined ? { role } : undefined;
}

export const KNOWN: Readonly<Record<'parameter' | 'member', string>> = {
  parameter: `${ROLES.join(', ')}, limit optional, or ${BOUNDS.join(', ')} and a field`,
  member: [ITEMS, ...MEMBERS].join(', '),
};
