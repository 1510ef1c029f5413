/** Names of the query fields of a target, decoded. */
export function queryNames(target: string): string[] {
  const cut = target.indexOf('?');
  if (cut < 0) return [];
  const query = target.slice(cut + 1).replace(/#.*$/s, '');
  return query
    .split('&')
    .filter((field) => field !== '' && !field.endsWith('='))
    .map((field) => decode(field.split('=')[0] ?? ''));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
