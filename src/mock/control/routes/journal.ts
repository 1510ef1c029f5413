import { type Answer, answer } from '../../answer.ts';
import { type Call, field } from '../../call.ts';
import { problem } from '../../problem.ts';
import { toHar } from '../har.ts';
import { done, InputError, ok, whole } from '../input.ts';
import type { JournalFilter } from '../journal.ts';
import type { Routes } from '../route.ts';
import { isRefusal, why } from '../why.ts';

const FORMATS = ['ndjson', 'json', 'har'] as const;

/** The journal, and why a request was refused. */
export const journalRoutes: Routes = (controls) => {
  const { journal } = controls;
  return [
    {
      method: 'GET',
      path: '/journal',
      answer({ call, query }) {
        const format = formatOf(call, query);
        const entries = journal.entries(filterOf(query));
        if (format === 'json') return ok({ entries, forgotten: journal.forgotten });
        if (format === 'har')
          return file('application/json', 'journal.har', JSON.stringify(toHar(entries, controls.url())));
        const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
        return file('application/x-ndjson', 'journal.ndjson', lines.join(''));
      },
    },
    {
      method: 'DELETE',
      path: '/journal',
      answer() {
        journal.clear();
        return done();
      },
    },
    {
      method: 'GET',
      path: '/why',
      answer({ query }) {
        const seq = whole(query.get('seq'), 'seq', 1, Number.MAX_SAFE_INTEGER);
        const heard = journal.find(seq ?? isRefusal);
        if (heard && isRefusal(heard)) return why(heard, journal.entryOf(heard), controls).then((told) => ok(told));
        const which = seq === undefined ? 'no request that was refused' : `no refused request of the number ${seq}`;
        return problem(404, 'no-such-control', `the journal holds ${which}`);
      },
    },
  ];
};

function file(type: string, name: string, text: string): Answer {
  const headers = ['cache-control', 'no-store', 'content-disposition', `inline; filename="${name}"`];
  return answer(200, { type, bytes: Buffer.from(text) }, 'assumed', headers);
}

function formatOf(call: Call, query: URLSearchParams): (typeof FORMATS)[number] {
  const wanted = query.get('format');
  if (wanted === null) return /^application\/json\b/.test(field(call, 'accept') ?? '') ? 'json' : 'ndjson';
  const format = FORMATS.find((one) => one === wanted);
  if (!format) throw new InputError('/format', `must be one of ${FORMATS.join(', ')}`);
  return format;
}

function filterOf(query: URLSearchParams): JournalFilter {
  const one = (name: string): string | undefined => query.get(name) ?? undefined;
  const status = one('status');
  if (status !== undefined && !/^\d(?:\d\d|xx)$/i.test(status)) {
    throw new InputError('/status', 'must be a status such as 401, or a class such as 4xx');
  }
  const all = {
    operationId: one('operationId'),
    method: one('method'),
    status,
    path: one('path'),
    since: whole(query.get('since'), 'since', 0, Number.MAX_SAFE_INTEGER),
    limit: whole(query.get('limit'), 'limit', 0, Number.MAX_SAFE_INTEGER),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
