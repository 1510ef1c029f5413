/** The template with the values of the request in it, percent-encoded again: everything but letters, digits and `-._~`. */
export function fillPath(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^}]+)\}/g, (whole, name: string) => {
    const value = parameters[name];
    return value === undefined ? whole : encodeURIComponent(value).replace(/[!'()*]/g, toEscape);
  });
}

function toEscape(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}
