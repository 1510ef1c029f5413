/** Checks import directions, and that only listed files import an engine: `npm run check:imports`. */
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { packageRoot } from '../src/package-root.ts';

/** The rooms of `src/`. Each may import from the lines above its own. */
const LEVELS = [
  ['text', 'package-root', 'node-floor'],
  ['errors', 'patterns'],
  ['files', 'needs-node'],
  ['validators'],
  ['schema'],
  ['contract', 'client'],
  ['model'],
  ['redact'],
  ['net', 'journal'],
  ['judge'],
  ['learn', 'audit', 'egress'],
  ['mock'],
  ['report'],
  ['diff', 'run', 'drive', 'facts'],
  ['config'],
  ['proxy'],
  ['generate', 'mcp'],
  ['cli', 'index'],
];

/**
 * The levels of `src/mock/`. Each may import from its own line and the lines above. Loose files are above all levels,
 * except `mock.ts` and `clock.ts`.
 */
const MOCK_FLOORS = [
  ['message', 'mock', 'clock'],
  ['compile'],
  ['tokens', 'scenarios', 'state', 'store', 'tenant'],
  ['pipeline'],
  ['http'],
  ['webhooks', 'document'],
  ['control'],
];

/** The engines, and the files that may import each of them. */
const ENGINES: Record<string, string[]> = {
  pactum: ['contracts/'],
  vitest: ['contracts/', 'src/run/engine.ts', 'src/mock/vitest/fixture.ts'],
  '@playwright/test': ['src/mock/playwright/fixture.ts'],
  '@stoplight/prism-': ['src/mock/pipeline/prism.ts'],
  '@stoplight/spectral-': ['src/contract/lint/spectral.ts'],
  '@modelcontextprotocol/': ['src/mcp/serve.ts'],
  undici: ['src/client/node/node-fetch.ts', 'src/client/adapters/undici.ts'],
};

const part = (file: string, depth: number) => file.split('/')[depth]?.replace('.ts', '') ?? '';
const room = (file: string) => part(file, 1);
const levelOf = (name: string) => LEVELS.findIndex((rooms) => rooms.includes(name));
const floorOf = (name: string) => {
  const floor = MOCK_FLOORS.findIndex((rooms) => rooms.includes(name));
  return floor < 0 ? MOCK_FLOORS.length : floor;
};

function importsOf(file: string, text: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
  ];
}

function problemOf(file: string, specifier: string): string | undefined {
  const engine = Object.keys(ENGINES).find((name) => specifier.startsWith(name));
  if (engine)
    return ENGINES[engine]?.some((place) => file.startsWith(place))
      ? undefined
      : `only ${ENGINES[engine]?.join(', ')} may load ${engine}`;
  const target = posix.join(posix.dirname(file), specifier);
  if (!file.startsWith('src/') || !specifier.startsWith('.') || !target.startsWith('src/')) return undefined;
  const [from, to] = [room(file), room(target)];
  if (levelOf(from) < 0) return `src/${from} has no line in ${import.meta.filename}`;
  if (from === 'mock' && to === 'mock') return floorProblem(part(file, 2), part(target, 2));
  return from === to || levelOf(to) < levelOf(from) ? undefined : `src/${from} may not import src/${to}`;
}

function floorProblem(from: string, to: string): string | undefined {
  // the options and the handle of a mock use types of all levels
  if (from === 'mock') return undefined;
  return floorOf(to) <= floorOf(from) ? undefined : `src/mock/${from} may not import src/mock/${to}`;
}

let problems = 0;
for (const file of globSync(['src/**/*.ts', 'contracts/**/*.ts'], { cwd: packageRoot })) {
  for (const specifier of importsOf(file, readFileSync(join(packageRoot, file), 'utf8'))) {
    const problem = problemOf(file, specifier);
    if (!problem) continue;
    problems += 1;
    process.stderr.write(`${file} imports ${specifier}: ${problem}\n`);
  }
}
process.exitCode = problems ? 1 : 0;
