/** The part of node:path that reading the package's own data takes. */
export function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return (path.startsWith('/') ? '/' : '') + parts.join('/');
}

export function join(...parts: readonly string[]): string {
  return normalize(parts.filter((part) => part !== '').join('/'));
}

export function resolve(...parts: readonly string[]): string {
  const last = parts.findLastIndex((part) => part.startsWith('/'));
  return normalize(last === -1 ? `/${parts.join('/')}` : parts.slice(last).join('/'));
}

export function isAbsolute(path: string): boolean {
  return path.startsWith('/');
}

export function dirname(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

export function basename(path: string, suffix = ''): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return suffix !== '' && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

export function extname(path: string): string {
  return /[^/](\.[^./]*)$/.exec(path)?.[1] ?? '';
}

export function relative(from: string, to: string): string {
  const [here, there] = [resolve(from).split('/').filter(Boolean), resolve(to).split('/').filter(Boolean)];
  let same = 0;
  while (same < here.length && here[same] === there[same]) same += 1;
  return [...here.slice(same).map(() => '..'), ...there.slice(same)].join('/');
}
