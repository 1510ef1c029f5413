/** The URL, or null if it is none: `URL.parse`, which not every browser in use has. */
export function parseUrl(url: string, base?: string): URL | null {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}
