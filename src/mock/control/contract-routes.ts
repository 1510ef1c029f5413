import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { packageRoot } from '../../package-root.ts';
import { problem } from '../http/problem.ts';
import type { Controls, Route } from './controls.ts';
import { InputError, ok, whole } from './input.ts';
import { FROM_PAGE } from './repeat.ts';

/** Lines that are shown before and behind the one that is asked for. */
const AROUND = 12;

/** The contract as it is served, where a line of it was written, and how who was heard so far keeps to it. */
export function contractRoutes(controls: Controls): Route[] {
  const served = createDocument(controls);
  // no other file than those that the document names may be read
  let named: { readonly of: object; readonly files: ReadonlySet<string> } | undefined;
  const filesOf = async (): Promise<ReadonlySet<string>> => {
    const document = await served();
    if (named?.of !== document) named = { of: document, files: new Set(sourcesIn(document)) };
    return named.files;
  };
  return [
    { method: 'GET', path: '/contract.json', answer: async () => ok(await served()), open: true },
    {
      method: 'GET',
      path: '/source',
      async answer({ query }) {
        const file = query.get('file');
        if (!file) throw new InputError('/file', 'is required: a file that the served contract names');
        const line = whole(query.get('line'), 'line', 1, 1_000_000) ?? 1;
        const text = (await filesOf()).has(file) ? await contentsOf(file) : null;
        if (text === null)
          return problem(404, 'no-such-control', 'the served contract names no such file that can be read');
        const lines = text.split('\n');
        const from = Math.max(1, line - AROUND);
        return ok({ file, line, from, lines: lines.slice(from - 1, line + AROUND) });
      },
    },
    {
      method: 'GET',
      path: '/audit',
      async answer() {
        const { judgeCallerInSlices } = await import('../../audit/judge-caller.ts');
        const { journal, clock, callers } = controls;
        const entries = journal.entries().filter(({ request }) => !isFromPage(request.headers));
        const recording = { entries, readAt: clock.now(), ...(callers && { callers }) };
        const audited = await judgeCallerInSlices({ contract: await controls.contract(), recordings: [recording] });
        const { findings, rules, callers: heard, notes, calls } = audited;
        return ok({ findings, rules, callers: heard, notes, exchanges: entries.length, calls });
      },
    },
  ];
}

/** Makes the contract as this mock serves it now, again only where something of it has changed. */
function createDocument(controls: Controls): () => Promise<object> {
  let made: { readonly of: readonly unknown[]; readonly document: object } | undefined;
  return async () => {
    const { mockDocument } = await import('../document/document.ts');
    const contract = await controls.contract();
    const [parts, seed, profile] = [controls.parts(), controls.seed(), controls.profile()];
    const of = [contract, parts, seed, profile];
    if (made?.of.every((part, index) => part === of[index])) return made.document;
    const document = mockDocument(contract, {
      ...{ parts, seed, profile, number: controls.number, now: controls.clock.now(), url: controls.url() },
      freshAnswers: seed !== parts.seed || profile !== parts.profile,
    });
    made = { of, document };
    return document;
  };
}

function isFromPage(headers: readonly (readonly [name: string, value: string])[]): boolean {
  return headers.some(([name]) => name.toLowerCase() === FROM_PAGE);
}

function* sourcesIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === 'x-source' && typeof value?.file === 'string') yield value.file;
    else yield* sourcesIn(value);
  }
}

/** The files of the package's own contract are named from its root, others as they were given. */
async function contentsOf(file: string): Promise<string | null> {
  for (const path of new Set([resolve(packageRoot, file), resolve(file)])) {
    try {
      return await readFile(path, 'utf8');
    } catch {
      // the next one
    }
  }
  return null;
}
