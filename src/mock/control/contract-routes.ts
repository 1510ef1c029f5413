import type { Controls } from './controls.ts';
import type { Handlers } from './document.ts';
import { FROM_PAGE } from './repeat.ts';
import { existingIds } from './state-view.ts';

export function contractRoutes(controls: Controls): Handlers {
  return {
    getContract: () => servedDocument(controls),
    async getAudit() {
      const { judgeCallerInSlices, newestText } = await import('../../audit/judge-caller.ts');
      const { journal, clock, served, options } = controls;
      const entries = journal.entries().filter(({ request }) => !isFromPage(request.headers));
      const recording = { entries, readAt: clock.now(), ...(options.callers && { callers: options.callers }) };
      const audited = await judgeCallerInSlices({ contract: await served().contract(), recordings: [recording] });
      const { findings, rules, callers: judged, notes, calls } = audited;
      const dropped = journal.forgotten > 0 ? [newestText(journal.size, journal.forgotten)] : [];
      return { findings, rules, callers: judged, notes: [...notes, ...dropped], exchanges: entries.length, calls };
    },
  };
}

async function servedDocument(controls: Controls): Promise<object> {
  const { served, memory, options, clock, url } = controls;
  const { mockDocument } = await import('../document/document.ts');
  const { parts, contract } = served();
  const ids = await existingIds(controls);
  const { common: seed, base } = memory.starts();
  const now = { ids, seed, records: base(''), profile: memory.profile(), now: clock.now(), url: url() };
  const { stateless = false, seed: number = 1 } = options;
  return mockDocument(await contract(), { ...now, parts, number, stateless });
}

function isFromPage(headers: readonly (readonly [name: string, value: string])[]): boolean {
  return headers.some(([name]) => name.toLowerCase() === FROM_PAGE);
}
