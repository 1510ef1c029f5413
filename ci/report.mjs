// Reads reports for a pipeline: `node report.mjs why REPORT.json`, `node report.mjs line GITLAB-REPORT.json` and
// `node report.mjs nights HISTORY`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const plain = (text) => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300);

const COMMANDS = {
  /** Why checks could not run, most frequent reasons first; at most three lines. */
  why(file) {
    const { checks, notices = [] } = read(file);
    const blind = notices.filter(({ code, unwatched = [] }) => code === 'coverage-below-floor' || unwatched.length > 0);
    const open = checks.filter(({ outcome, why }) => outcome === 'inconclusive' || why?.kind === 'missing-parameter');
    if (open.length + blind.length === 0) open.push(...checks);
    const byReason = [...Map.groupBy(open, ({ reason }) => plain(reason))].sort(([, a], [, b]) => b.length - a.length);
    const reasons = byReason.map(([reason, of]) => `${of.length === 1 ? '1 check' : `${of.length} checks`}: ${reason}`);
    return [...new Set(blind.map(({ message }) => plain(message))), ...reasons].slice(0, 3);
  },

  /** Number of consecutive nights without a verdict, up to the last one. The last report of a night counts. */
  nights(folder) {
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    const nights = Map.groupBy(
      files.sort().map((name) => read(join(folder, name))),
      ({ startedAt }) => startedAt.slice(0, 10),
    );
    const last = [...nights.values()].map((reports) => reports.at(-1).verdict);
    return [last.length - 1 - last.findLastIndex((verdict) => verdict === 'agrees' || verdict === 'drift')];
  },

  /** Body for a webhook of Slack, Mattermost or Rocket.Chat: the first sentence of the report, and RUN_URL. */
  line(file) {
    const [{ description }] = read(file);
    return [JSON.stringify({ text: `${plain(description)} ${process.env.RUN_URL ?? ''}`.trim() })];
  },
};

const [name, path] = process.argv.slice(2);
for (const line of COMMANDS[name](path)) console.log(line);
