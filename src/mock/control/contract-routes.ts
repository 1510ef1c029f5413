import type { Controls } from './controls.ts';
import type { Handlers } from './document.ts';
import { FROM_PAGE } from './repeat.ts';

/** The contract as it is served, and how who was heard so far keeps to it. */
export function contractRoutes(controls: Controls): Handlers {
  return {
    getContract: () => servedDocument(controls),
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
