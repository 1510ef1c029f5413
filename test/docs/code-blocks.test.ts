import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';

interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

const PAGES = [
  'README.md',
  ...readdirSync(join(packageRoot, 'docs'), { recursive: true })
    .map((file) => `docs/${String(file)}`)
    .filter((file) => file.endsWith('.md')),
].sort();

/** Names that the pages use because readers already have them. */
const THEIRS = `
  declare global {
    const baseUrl: string;
    const username: string;
    const password: string;
  }
  export {};
`;

/** A module of the reader. */
const THEIR_PROGRAM = 'export const callTheProgram = async (url: string): Promise<void> => void (await fetch(url));\n';

function textOf(page: string): string {
  return readFileSync(join(packageRoot, page), 'utf8');
}

/** Blocks of code. A block with another word after its language, like `js not-compiled`, is left out. */
function blocksOf(page: string): Block[] {
  const text = textOf(page);
  return [...text.matchAll(/^```(ts|js|tsx|jsx|mjs|typescript|javascript)\n([\s\S]*?)^```$/gm)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    language: match[1] ?? '',
    code: match[2] ?? '',
  }));
}

const blocks = PAGES.flatMap(blocksOf);
const nameOf = ({ page, line, language }: Block): string =>
  `${page.replaceAll(/[^\w]+/g, '-')}-${line}.${/^j|^mj/.test(language) ? 'js' : 'ts'}`;

describe('code blocks of the docs', () => {
  let folder: string;
  let problems: readonly string[];
  beforeAll(async () => {
    // inside the package, which finds itself by name as in a user's project
    folder = mkdtempSync(join(packageRoot, '.docs-code-'));
    writeFileSync(join(folder, 'theirs.d.ts'), THEIRS);
    writeFileSync(join(folder, 'program.ts'), THEIR_PROGRAM);
    for (const block of blocks) {
      const isModule = /^(?:import|export)\b/m.test(block.code);
      writeFileSync(join(folder, nameOf(block)), `${block.code}${isModule ? '' : '\nexport {};\n'}`);
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          target: 'es2024',
          lib: ['esnext', 'dom', 'dom.iterable'],
          module: 'nodenext',
          types: ['node'],
          strict: true,
          allowJs: true,
          checkJs: true,
          // type errors inside dependencies do not matter
          skipLibCheck: true,
          allowImportingTsExtensions: true,
          noEmit: true,
        },
        files: ['theirs.d.ts', ...blocks.map(nameOf)],
      }),
    );
    const tsc = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
      cwd: folder,
    }).catch((error: { readonly stdout?: string }) => ({ stdout: error.stdout ?? String(error) }));
    problems = stdout.split('\n').filter((line) => line.includes('error'));
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('pages with code have blocks', () => {
    expect(blocks.length).toBeGreaterThan(15);
    expect(new Set(blocks.map(({ page }) => page))).toContain('README.md');
  });

  test.each(blocks.map((block) => [`${block.page}:${block.line}`, block] as const))(
    '%s compiles under strict',
    (_, block) => {
      expect(problems.filter((line) => line.startsWith(nameOf(block)))).toEqual([]);
    },
  );

  test('the compiler reports no other error', () => {
    const names = blocks.map(nameOf);
    expect(problems.filter((line) => !names.some((name) => line.startsWith(name)))).toEqual([]);
  });
});

test('every block names its language, so that it is coloured', () => {
  for (const page of PAGES) {
    const fences = [...textOf(page).matchAll(/^ *```(.*)$/gm)].map(([, info]) => info ?? '');
    expect([page, ...fences.filter((info, index) => index % 2 === 0 && info === '')]).toEqual([page]);
    expect([page, ...fences.filter((info, index) => index % 2 === 1 && info !== '')]).toEqual([page]);
  }
});

test('the docs name the library versions that the client page is compiled against', () => {
  const page = readFileSync(join(packageRoot, 'docs', 'client.md'), 'utf8').replaceAll('\n', ' ');
  const named = [...page.matchAll(/\b(ky|axios|openapi-fetch|got|undici) (\d+(?:\.\d+)?)\b/g)];
  expect(new Set(named.map(([, library]) => library)).size).toBe(5);
  for (const [, library = '', version = ''] of named) {
    const manifest = JSON.parse(readFileSync(join(packageRoot, 'node_modules', library, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    expect(`${library} ${manifest.version}`).toMatch(new RegExp(`^${library} ${version.replace('.', '\\.')}\\.`));
  }
});
