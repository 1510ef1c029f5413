/** Compares the mock with the stock `prism mock` on each real document of test/documents. */
import { CORPUS, type Sample, unpacked } from '../test/documents/corpus.ts';
import { examine } from '../test/documents/examine.ts';
import { type Ask, journey } from '../test/documents/journey.ts';
import { createOracle } from '../test/documents/oracle.ts';
import { ourCommand, startServer, table } from './mock.ts';
import { prismCommand } from './prism-mock.ts';

/** Starts per mock and document; the least counts, because other load on the machine only adds. */
const STARTS = 3;
const HEAD = ['document', 'start, s', 'CPU, s', 'memory, MB', 'valid successes', 'steps of a record'];
const HOP_BY_HOP = ['host', 'connection', 'content-length', 'transfer-encoding'];

/** A table in Markdown. Each cell has our value first, then the one of stock Prism. */
export async function benchDocuments(): Promise<string> {
  const rows: string[][] = [];
  for (const sample of CORPUS) {
    rows.push(await compare(sample));
    console.error(rows.at(-1)?.join(' | '));
  }
  return `Best of ${STARTS} starts, Node ${process.versions.node}.\n\n${table(HEAD, rows)}`;
}

type Line = (port: number) => readonly string[];

async function compare({ file, operations, records }: Sample): Promise<string[]> {
  const spec = await unpacked(file);
  const { contract, sent } = await examine(spec);
  const faultOf = createOracle(contract);
  const requests = [...sent].map(([id, { method, target, headers, body }]) => {
    const path = pathOf(target, contract.operation(id)?.path ?? '');
    const fields = headers
      .filter(([name]) => !HOP_BY_HOP.includes(name))
      .map(([name, value]): [string, string] => [name, value]);
    // a busy mock may close an idle connection just when the next request comes
    fields.push(['connection', 'close']);
    return { id, path, init: { method, headers: fields, body: body && Buffer.from(body) } };
  });
  // deletions last and the deepest first, so that each request finds its record
  const rank = ({ path, init }: (typeof requests)[number]): number =>
    init.method === 'DELETE' ? 1 / path.split('/').length : 0;
  requests.sort((a, b) => rank(a) - rank(b));
  const first = requests.find(({ init }) => init.method === 'GET')?.path ?? '/';

  const lines: readonly [Line, Line] = [
    (port: number) => [...ourCommand(port), spec, '--any-token'],
    (port: number) => [prismCommand(), 'mock', spec, '--port', String(port)],
  ];
  const measure = async (line: Line): Promise<string[]> => {
    const costs: [number, number, number][] = [];
    const started = async () => {
      const server = await startServer(line, (port) => answerOf(port, first));
      costs.push([server.startMs / 1000, server.cpuSeconds(), server.peakMb()]);
      return server;
    };
    for (let round = 1; round < STARTS; round += 1) await (await started()).stop();
    const server = await started();
    const ask: Ask = (path, init) => fetch(`http://127.0.0.1:${server.port}${path}`, { ...init, redirect: 'manual' });
    // before the requests, which change records
    const steps = records ? (await journey(ask, contract, sent, records.path)).length : '–';
    let good = 0;
    for (const { id, path, init } of requests) {
      const answer = await ask(path, init);
      const type = answer.headers.get('content-type') ?? '';
      if (faultOf(id, { status: answer.status, type, text: await answer.text() }) === null) good += 1;
    }
    await server.stop();
    const [start, cpu, memory] = ([0, 1, 2] as const).map((index) => Math.min(...costs.map((cost) => cost[index])));
    return [`${start?.toFixed(1)}`, `${cpu?.toFixed(1)}`, `${memory?.toFixed(0)}`, `${good}`, `${steps}`];
  };
  const [ours = [], prism = []] = [
    await measure(lines[0]),
    await measure(lines[1]).catch((error: Error) => {
      console.error(`${file}: ${error.message}`);
      return [];
    }),
  ];
  return [
    `${file} (${operations} operations)`,
    ...ours.map((value, index) => (value === '–' ? value : `${value}, ${prism[index] ?? 'fails'}`)),
  ];
}

/** The target without the path of the document's server, which Prism does not serve. */
function pathOf(target: string, template: string): string {
  const form = template.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^}]+\}/g, '[^/?]+');
  return new RegExp(`${form}(?:\\?.*)?$`).exec(target)?.[0] ?? target;
}

async function answerOf(port: number, path: string): Promise<string | null> {
  try {
    return String((await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })).status);
  } catch {
    return null;
  }
}
