import { readFile, realpath } from 'node:fs/promises';
import type { Controls } from './controls.ts';
import type { Handlers } from './document.ts';
import { InputError, missing } from './input.ts';
import { FROM_PAGE } from './repeat.ts';

const AROUND = 12;

/** The contract as it is served, where a line of it was written, and how who was heard so far keeps to it. */
export function contractRoutes(controls: Controls): Handlers {
  return {
    getContract: () => servedDocument(controls),
    async getSource({ parameters: { file, line = 1 } }) {
      if (!file)
        throw new InputError({ pointer: '/file', message: 'It is required: a file that the served contract names.' });
      const text = await textOf((await controls.contract()).sources.get(file));
      if (text === undefined) throw missing('the served contract names no such file that can be read');
      const lines = text.split('\n');
      const from = Math.max(1, line - AROUND);
      return { file, line, from, lines: lines.slice(from - 1, line + AROUND) };
    },
    async getAudit() {
      const { judgeCallerInSlices } = await import('../../audit/judge-caller.ts');
      const { journal, clock, callers } = controls;
      const entries = journal.entries().filter(({ request }) => !isFromPage(request.headers));
      const recording = { entries, readAt: clock.now(), ...(callers && { callers }) };
      const audited = await judgeCallerInSlices({ contract: await controls.contract(), recordings: [recording] });
      const { findings, rules, callers: heard, notes, calls } = audited;
      return { findings, rules, callers: heard, notes, exchanges: entries.length, calls };
    },
  };
}

async function servedDocument(controls: Controls): Promise<object> {
  const { mockDocument } = await import('../document/document.ts');
  const { contract, parts, seed, profile, number, clock, url } = controls;
  const now = { parts: parts(), seed: seed(), profile: profile(), now: clock.now(), url: url() };
  return mockDocument(await contract(), { ...now, number });
}

function isFromPage(headers: readonly (readonly [name: string, value: string])[]): boolean {
  return headers.some(([name]) => name.toLowerCase() === FROM_PAGE);
}

/** The text of a file; undefined if it cannot be read, or has become a link to another one. */
async function textOf(path: string | undefined): Promise<string | undefined> {
  try {
    return path !== undefined && (await realpath(path)) === path ? await readFile(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
