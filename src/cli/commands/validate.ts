import { resolve } from 'node:path';
import { VALIDATORS } from '../../../generated/validators/by-name.ts';
import { EXIT, type ExitCode } from '../../errors.ts';
import { FileTooLarge, OTHER, readBounded, unreadable } from '../../files/read.ts';
import { judgeText, type Piece } from '../../judge/json-text.ts';
import { decodeUtf8 } from '../../text/decode.ts';
import { plain } from '../../text/plain.ts';
import { didYouMean } from '../../text/suggest.ts';
import type { Reading, Validator } from '../../validators/validator.ts';
import { type Args, usage } from '../args.ts';
import type { Command, Io } from '../command.ts';

const NAMES = Object.keys(VALIDATORS);

/** `banking-api validate SCHEMA FILE…`: one line per problem on stdout, `file:line:column (at /pointer): what`. */
export const command: Command = {
  synopsis: 'SCHEMA FILE…',
  flags: {
    exact: { help: 'also report fields that the reference does not document' },
    currency: { value: 'CODE', help: 'apply the limits of this currency, if the schema has any (major units)' },
    lines: { help: 'read each line as one JSON value (NDJSON)' },
  },
  exits: {
    [EXIT.agrees]: 'every file is valid',
    [EXIT.findings]: 'a file is invalid or not JSON',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const [name, ...files] = args.positionals;
  const reading = pickReading(name, args);
  if (files.length === 0) throw usage('No file given. Use - for standard input.');
  if (files.filter((file) => file === '-').length > 1) throw usage('Standard input (-) can be read only once.');
  // read all files first, so that a missing file is reported at once
  const texts: [string, Uint8Array][] = [];
  for (const file of files) texts.push(await read(file, io));

  let invalid = 0;
  for (const [file, bytes] of texts) {
    const lines = judgeFile(file, bytes, reading, args.switch('lines'));
    if (lines.length > 0) invalid++;
    for (const line of lines) io.stdout.write(`${plain(line)}\n`);
  }
  io.stderr.write(`${files.length - invalid} of ${files.length} valid.\n`);
  return invalid > 0 ? EXIT.findings : EXIT.agrees;
}

function pickReading(name: string | undefined, args: Args): Reading<unknown> {
  const list = `Schemas: ${NAMES.join(', ')}.`;
  if (name === undefined) throw usage('No schema given.', list);
  const bare = (text: string): string => text.replaceAll('-', '').toLowerCase();
  const found = NAMES.find((candidate) => bare(candidate) === bare(name));
  const validator = found === undefined ? undefined : VALIDATORS[found];
  if (!validator) throw usage(`Unknown schema: ${JSON.stringify(name)}.${didYouMean(name, NAMES)}`, list);
  const chosen = withCurrency(validator, args.text('currency'));
  return args.switch('exact') ? chosen.exact : chosen;
}

function withCurrency(validator: (typeof VALIDATORS)[string], currency: string | undefined): Validator<unknown> {
  if (currency === undefined) return validator;
  if (!('forCurrency' in validator)) throw usage(`${validator.name} has no limits per currency.`);
  try {
    return validator.forCurrency(currency);
  } catch (error) {
    const hint = error instanceof RangeError ? 'Remove --currency.' : undefined;
    throw usage(`--currency: ${error instanceof Error ? error.message : 'not a currency'}.`, hint);
  }
}

async function read(file: string, io: Io): Promise<[string, Uint8Array]> {
  if (file === '-') {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of io.stdin ?? process.stdin) {
      const bytes = Buffer.from(chunk as Uint8Array);
      size += bytes.length;
      if (size > OTHER.most) throw unreadable('<stdin>', new FileTooLarge(OTHER));
      chunks.push(bytes);
    }
    return ['<stdin>', Buffer.concat(chunks)];
  }
  const bytes = await readBounded(resolve(io.cwd, file), OTHER).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  return [file, bytes];
}

function judgeFile(file: string, bytes: Uint8Array, reading: Reading<unknown>, byLine: boolean): readonly string[] {
  const text = decodeUtf8(bytes);
  if (text === undefined) return [`${file}: not JSON: the file is not UTF-8 text`];
  const pieces = byLine
    ? text.split('\n').flatMap((line, index): Piece[] => (line.trim() === '' ? [] : [{ text: line, line: index }]))
    : [{ text, line: 0 }];
  if (pieces.length === 0) return [`${file}:1:1: not JSON: the file is empty`];
  return pieces.flatMap((piece) => judgeText(file, piece, reading));
}
