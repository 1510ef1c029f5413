import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { ownFolder } from '../contract/folder.ts';
import type { Mock, MockOptions, MockStatus } from './mock.ts';

export interface WatchOptions {
  /** Files and folders; a folder stands for the documents and code below it. They need not exist yet. */
  readonly paths: readonly string[];
  /** Called with changed, created and deleted paths. The next call waits until this call has ended. */
  readonly onChange: (changed: readonly string[]) => void | Promise<void>;
  /** Milliseconds between two checks; 200. */
  readonly interval?: number;
}

/** What identifies one state of a file. Includes the inode, since saving by renaming may change nothing else. */
type Snapshot = ReadonlyMap<string, string>;

/**
 * Watches files by comparing their states. File system events are missing on network mounts and in containers.
 * A change is reported when two checks in a row agree: the save is then complete. Resolves after the first check.
 */
export async function watchFiles({ paths, onChange, interval = 200 }: WatchOptions): Promise<{ close(): void }> {
  let reported = await look(paths);
  let last = reported;
  let closed = false;
  let looking = false;

  const check = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      const found = await look(paths);
      const isSettled = difference(last, found).length === 0;
      last = found;
      const changed = isSettled ? difference(reported, found) : [];
      if (changed.length === 0 || closed) return;
      reported = found;
      await onChange(changed);
    } finally {
      looking = false;
    }
  };

  const timer = setInterval(check, interval).unref();
  return {
    close() {
      closed = true;
      clearInterval(timer);
    },
  };
}

const FILE = /\.(?:ya?ml|json|[cm]?[jt]s)$/i;

async function look(paths: readonly string[]): Promise<Snapshot> {
  const found = new Map<string, string>();
  await Promise.all(paths.map((path) => lookAt(resolve(path), found)));
  return found;
}

async function lookAt(path: string, found: Map<string, string>, isLink = false): Promise<void> {
  try {
    const state = await stat(path, { bigint: true });
    if (!state.isDirectory()) found.set(path, [state.ino, state.size, state.mtimeNs, state.ctimeNs].join());
    // links to folders may be circular
    else if (!isLink) {
      const entries = (await readdir(path, { withFileTypes: true })).filter(
        // a journal or store beside a document changes with each request, and packages are many
        (entry) => (entry.isFile() ? FILE.test(entry.name) : !/^(?:\.|node_modules$)/.test(entry.name)),
      );
      await Promise.all(entries.map((entry) => lookAt(join(path, entry.name), found, entry.isSymbolicLink())));
    }
  } catch {
    // the file is missing or unreadable: its reader reports that
  }
}

function difference(before: Snapshot, after: Snapshot): readonly string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((path) => before.get(path) !== after.get(path)).sort();
}

export interface WatchMockOptions {
  readonly files: readonly string[];
  /** Resolves when the mock serves. Earlier changes are handled after that. */
  readonly mock: Promise<Mock>;
  readonly tell: (line: string) => void;
  /** Called after each change that is now served. */
  readonly onServed?: (mock: Mock) => void | Promise<void>;
  /** Printed paths are relative to it. */
  readonly cwd: string;
}

/**
 * Reloads the mock when one of its files changes, keeping tokens and state. Invalid changes are reported and ignored.
 * Call it before the mock starts, so that no change is missed.
 */
export function watchMock({
  files,
  mock: starting,
  tell,
  onServed,
  cwd,
}: WatchMockOptions): Promise<{ close(): void }> {
  return watchFiles({
    paths: files,
    async onChange(changed) {
      const mock = await starting;
      const [first = '', ...more] = changed.map((path) => shown(path, cwd));
      const status = await mock.reload();
      tell(lineOf(more.length === 0 ? first : `${first} and ${more.length} more`, status));
      if (status.problem === null) await onServed?.(mock);
    },
  });
}

export function filesOf(options: MockOptions): readonly string[] {
  const { folder = ownFolder, overlays = [], scenarios = [], profile, seedData } = options;
  const own = [folder.assumptions, folder.entities, folder.seed, folder.seeds, folder.profiles, folder.scenarios];
  const files = overlays.map((overlay) => (typeof overlay === 'string' ? overlay : overlay.text ? null : overlay.file));
  // scenarios, profiles and seeds without an extension are names from the folder
  const named = [...scenarios, profile, seedData].filter((one) => typeof one === 'string' && FILE.test(one));
  return [dirname(folder.spec), ...own, ...files, ...named].filter((one) => typeof one === 'string');
}

function lineOf(what: string, { problem }: MockStatus): string {
  if (!problem) return `Changed and served: ${what}`;
  return `Changed and not served: ${what}. The last good version is still served. ${problem.description.replace(/\p{Cc}+/gu, ' ')}`;
}

function shown(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return (way.startsWith('..') ? path : way).replace(/\p{Cc}+/gu, ' ');
}
