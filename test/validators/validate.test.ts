import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { command } from '../../src/cli/commands/validate.ts';
import { run } from '../../src/cli/run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'good.json': '{"access_token":"a","expires_in":1,"jti":"j","scope":"","token_type":"bearer"}',
  'bad.json': '{\n  "access_token": 5,\n  "expires_in": 1,\n  "x": {"a/b": 1},\n  "scope": "", "token_type": "mac"\n}',
  'comma.json': '{"a": 1,\n}',
  'empty.json': '',
  'latin1.json': Uint8Array.of(0x22, 0xe9, 0x22),
  'bom.json': '\ufeff{"token": 1}',
  'twice.json': '{"token": "a", "token": "b"}',
  'cards.ndjson': '{"token": "t"}\n\n{"token": 1}\n{"token": }\n',
  'escape.json': '{"\\u001b[31m\\nevil": 1}',
};

let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
});

async function validate(argv: readonly string[], stdin = ''): Promise<{ code: number; out: string[]; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(
    ['validate', ...argv],
    {
      stdin: (async function* () {
        yield stdin;
      })(),
      stdout: { write: (text: string) => out.push(text) },
      stderr: { write: (text: string) => err.push(text) },
      env: {},
      cwd: folder,
      signal: new AbortController().signal,
    },
    [{ name: 'validate', summary: '', load: async () => ({ command }) }],
  );
  return { code, out: out.join('').split('\n').slice(0, -1), err: err.join('') };
}

describe('banking-api validate', () => {
  it('validate exits with 0 and an empty stdout if all files are valid', async () => {
    expect(await validate(['Token', 'good.json', 'good.json'])).toMatchObject({ code: 0, out: [] });
  });

  it('validate exits with 1 and prints file, line, column and pointer of every problem', async () => {
    const { code, out } = await validate(['Token', 'good.json', 'bad.json']);
    expect(code).toBe(1);
    expect(out).toEqual([
      'bad.json:1:1 (at /jti): expected a required field, found nothing',
      'bad.json:2:19 (at /access_token): expected string, found integer',
      'bad.json:5:30 (at /token_type): expected text that matches ^[Bb][Ee][Aa][Rr][Ee][Rr]$, found string(1-9)',
    ]);
  });

  it('--exact reports undocumented fields', async () => {
    expect((await validate(['token', '--exact', 'bad.json'])).out).toContain(
      'bad.json:4:8 (at /x): expected no undocumented field, found object',
    );
  });

  it('- reads standard input', async () => {
    expect(await validate(['Card', '-'], '{"token": "t"}')).toMatchObject({ code: 0 });
    expect(await validate(['Card', '-'], '{"token": 1}')).toMatchObject({
      code: 1,
      out: ['<stdin>:1:11 (at /token): expected string, found integer'],
    });
  });

  it.each([
    ['comma.json', /^comma\.json:2:1: not JSON: expected a name in double quotes$/],
    ['empty.json', /^empty\.json:1:1: not JSON: the text ends too early$/],
    ['latin1.json', /^latin1\.json: not JSON: the file is not UTF-8 text$/],
    ['twice.json', /^twice\.json:1:16: not JSON: the object has this name twice$/],
  ])('%s is not JSON and exits with 1 and the place', async (file, line) => {
    const { code, out } = await validate(['Card', file]);
    expect(code).toBe(1);
    expect(out).toEqual([expect.stringMatching(line)]);
  });

  it('a byte order mark does not count as a column', async () => {
    expect((await validate(['Card', 'bom.json'])).out).toEqual([
      'bom.json:1:11 (at /token): expected string, found integer',
    ]);
  });

  it('--lines treats each line as a JSON text', async () => {
    expect(await validate(['Card', '--lines', 'cards.ndjson'])).toMatchObject({
      code: 1,
      out: [
        'cards.ndjson:3:11 (at /token): expected string, found integer',
        'cards.ndjson:4:11: not JSON: expected a value',
      ],
    });
  });

  it('field names are printed as text, without effect on a terminal', async () => {
    const { out } = await validate(['Card', '--exact', 'escape.json']);
    expect(out).toHaveLength(1);
    expect(out[0]).not.toMatch(/\p{Cc}/u);
  });

  it.each([
    [['Tokn', 'good.json'], /Unknown schema: "Tokn"\. Did you mean Token\? Schemas: .*IssueNewCardRequest/],
    [[], /No schema given.*Schemas: Token/],
    [['Token'], /No file given/],
    [['Token', '-', '-'], /only once/],
    [['Token', 'nowhere.json'], /^nowhere\.json: The file does not exist/],
    [['Token', '.'], /^\.: It is a folder\./],
    [['Card', '--currency', 'GBP', 'good.json'], /Card has no limits per currency/],
    [['IssueNewCardRequest', '--currency', 'pounds', 'good.json'], /three letters/],
  ] as [string[], RegExp][])('%j is a usage error with exit code 2 and a reason', async (argv, reason) => {
    const { code, out, err } = await validate(argv);
    expect(code).toBe(2);
    expect(out).toEqual([]);
    expect(err).toMatch(reason);
  });
});
