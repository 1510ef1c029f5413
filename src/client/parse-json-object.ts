/**
 * The members of a JSON object, or undefined if the text is no JSON, no object, or names a member twice.
 * A parameter must not appear more than once (RFC 6749, section 3.2), and which of two counts differs between parsers.
 */
export function parseJsonObject(bytes: Uint8Array): Map<string, unknown> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const members = new Map<string, unknown>(Object.entries(value));
    return members.size === countMembers(text) ? members : undefined;
  } catch {
    return undefined;
  }
}

/** Members of the outermost object of a text that is known to be JSON: its colons outside of strings, one level deep. */
function countMembers(text: string): number {
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      at += 1;
      while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    } else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    else if (char === ':' && depth === 1) members += 1;
  }
  return members;
}
