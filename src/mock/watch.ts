import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { ownFolder } from '../contract/folder.ts';
import type { Mock, MockOptions, MockStatus } from './mock.ts';

export interface WatchOptions {
  /** Files and folders; of a folder, every file below it. They need not be there (yet). */
  readonly paths: readonly string[];
  /** Called with what changed, came or went. The next call waits for this one to end. */
  readonly onChange: (changed: readonly string[]) => void | Promise<void>;
  /** Milliseconds of quiet that a save is given; 50. */
  readonly quiet?: number;
  /** Milliseconds between two looks without a hint of the system; 400. */
  readonly interval?: number;
}

export interface Watcher {
  close(): void;
}

/** Milliseconds that a file may be gone in the middle of a save. */
const GONE = 150;

/** What tells one state of a file from another; the inode, since a save by renaming may keep all else. */
type Snapshot = ReadonlyMap<string, string>;

/**
 * Watches files by comparing what they were with what they are. The system's notices only say when to look: it tells of a folder's
 * entries, of a file under the name that it once had, more than once, or (on a network mount or in a container) not at all,
 * so a look is taken every so often without one. Resolves when the first look was taken.
 */
export async function watchFiles(options: WatchOptions): Promise<Watcher> {
  const { quiet = 50, interval = 400 } = options;
  const paths = [...new Set(options.paths.map((path) => resolve(path)))];
  const notices = new Map<string, FSWatcher>();
  let known = await look(paths);
  let closed = false;
  let soon: NodeJS.Timeout | undefined;
  let looking = false;
  let again = false;

  const hint = (): void => {
    if (closed) return;
    clearTimeout(soon);
    soon = setTimeout(check, quiet).unref();
  };

  const check = async (): Promise<void> => {
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    try {
      const found = await settled(paths, known);
      const changed = difference(known, found);
      known = found;
      if (!closed) listen(folders(paths, found), notices, hint);
      if (changed.length > 0 && !closed) await options.onChange(changed);
    } finally {
      looking = false;
      if (again) hint();
      again = false;
    }
  };

  listen(folders(paths, known), notices, hint);
  const timer = setInterval(check, interval).unref();
  return {
    close() {
      closed = true;
      clearInterval(timer);
      clearTimeout(soon);
      for (const notice of notices.values()) notice.close();
      notices.clear();
    },
  };
}

/** What is there now; what has just gone is given a moment to come back, as in a save that removes and writes anew. */
async function settled(paths: readonly string[], known: Snapshot): Promise<Snapshot> {
  const found = await look(paths);
  if (![...known.keys()].some((path) => !found.has(path))) return found;
  await new Promise((done) => setTimeout(done, GONE));
  return look(paths);
}

async function look(paths: readonly string[]): Promise<Snapshot> {
  const found = new Map<string, string>();
  await Promise.all(paths.map((path) => lookAt(path, found)));
  return found;
}

async function lookAt(path: string, found: Map<string, string>, isLink = false): Promise<void> {
  try {
    const state = await stat(path, { bigint: true });
    if (!state.isDirectory()) found.set(path, [state.ino, state.size, state.mtimeNs, state.ctimeNs].join());
    // links to folders may form a circle
    else if (!isLink) {
      const entries = await readdir(path, { withFileTypes: true });
      await Promise.all(entries.map((entry) => lookAt(join(path, entry.name), found, entry.isSymbolicLink())));
    }
  } catch {
    // it is not there, or may not be looked at: both are told by whoever reads it
  }
}

function difference(before: Snapshot, after: Snapshot): readonly string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((path) => before.get(path) !== after.get(path)).sort();
}

/** The folders whose entries are to be told: those of all files, and the folders that were asked for. */
function folders(paths: readonly string[], found: Snapshot): ReadonlySet<string> {
  return new Set([...paths, ...paths.map(dirname), ...[...found.keys()].map(dirname)]);
}

/** Asks the system for notices where it gives any; one that ends (with its folder) is asked for again at the next look. */
function listen(wanted: ReadonlySet<string>, notices: Map<string, FSWatcher>, hint: () => void): void {
  for (const [folder, notice] of notices) {
    if (wanted.has(folder)) continue;
    notice.close();
    notices.delete(folder);
  }
  for (const folder of wanted) {
    if (notices.has(folder)) continue;
    try {
      const notice = watch(folder, { persistent: false }, hint);
      const end = (): void => {
        notice.close();
        if (notices.get(folder) === notice) notices.delete(folder);
      };
      notice.on('error', end);
      notices.set(folder, notice);
    } catch {
      // the next look comes without a notice
    }
  }
}

export interface WatchMockOptions {
  /** What the mock was made of; see {@link filesOf}. */
  readonly files: readonly string[];
  /** Resolves to the mock as soon as it serves. A change that comes before is served after. */
  readonly mock: Promise<Mock>;
  /** Told one line per change that was served or could not be. */
  readonly tell: (line: string) => void;
  /** Told of the mock after each change that was served. */
  readonly onServed?: (mock: Mock) => void | Promise<void>;
  /** Where the shown paths start; the working directory. */
  readonly cwd: string;
}

/**
 * Serves what is saved: a change of any file that the mock was made of is read and, if it can be served, takes the place of what was;
 * tokens and state stay. What cannot be served is told and changes nothing. Begin before the mock starts, so that no change falls between.
 */
export function watchMock(options: WatchMockOptions): Promise<Watcher> {
  const { cwd, tell } = options;
  return watchFiles({
    paths: options.files,
    async onChange(changed) {
      const mock = await options.mock;
      const names = changed.map((path) => shown(path, cwd));
      const [first = '', ...more] = names;
      const what = more.length === 0 ? first : `${first} and ${more.length} more`;
      const status = await mock.reload();
      tell(lineOf(what, status));
      if (status.problem === null) await options.onServed?.(mock);
    },
  });
}

/** Files and folders that a mock is made of: those of its contract, and those that it was started with. */
export function filesOf(options: MockOptions): readonly string[] {
  const { folder = ownFolder, overlays = [], scenarios = [], profile, seedData } = options;
  const own = [folder.assumptions, folder.entities, folder.seed, folder.profiles, folder.scenarios];
  const files = overlays.map((overlay) => (typeof overlay === 'string' ? overlay : overlay.text ? null : overlay.file));
  // what is named stands in the folder
  const named = [...scenarios, profile].filter((one) => typeof one === 'string' && /\.(?:ya?ml|json)$/i.test(one));
  return [dirname(folder.spec), ...own, ...files, ...named, seedData].filter((one) => typeof one === 'string');
}

function lineOf(what: string, { problem }: MockStatus): string {
  if (!problem) return `Changed and served: ${what}`;
  return `Changed and not served: ${what}. What was good before still is. ${problem.description.replace(/\p{Cc}+/gu, ' ')}`;
}

function shown(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return (way.startsWith('..') ? path : way).replace(/\p{Cc}+/gu, ' ');
}
