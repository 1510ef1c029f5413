/** Unquoted, YAML reads 1.10 as the number 1.1; and a release that the history does not have is a mistake. */
export default function release(since, _options, context) {
  if (typeof since !== 'string') return [{ message: 'A release must be quoted.' }];
  const history = context.documentInventory.unresolved.info?.['x-releases'] ?? [];
  if (history.some((entry) => entry.release === since)) return [];
  return [{ message: `"${since}" is no release of info.x-releases.` }];
}
