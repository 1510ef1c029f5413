import { Readable, Writable } from 'node:stream';
import { EXIT, type ExitCode } from '../../errors.ts';
import { readBaseline } from '../../judge/baseline.ts';
import type { Args } from '../args.ts';
import { type Command, given, type Io } from '../command.ts';
import { configOf, proxyText, RUN_FLAGS } from '../config.ts';
import { folderText, noticeText } from '../contract.ts';
import { FACT_FLAGS, openFacts } from '../facts.ts';
import { redactorOf } from '../secrets.ts';
import { serving } from '../serving.ts';
import { optionsOf } from './verify.ts';

const { allow: _, ...FLAGS } = { ...RUN_FLAGS, ...FACT_FLAGS };

/** `banking-api mcp`: stdin and stdout carry the Model Context Protocol. */
export const command: Command = {
  flags: FLAGS,
  exits: {
    [EXIT.agrees]: 'the client closed the connection, or a signal stopped the server',
  },
  run: serving(run),
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const { loadSdk, serve } = await import('../../mcp/serve.ts');
  const sdk = await loadSdk();
  const config = await configOf(args, io);
  const { contracts, runs } = await openFacts(args, io);
  const { secretNames } = await import('../../contract/secrets.ts');
  const baseline = config.baseline === undefined ? undefined : await readBaseline(config.baseline);
  io.stderr.write(`${proxyText(config)}${folderText(config.folder, true)}${noticeText(contracts.known.notices)}`);
  const redactor = redactorOf(io);
  redactor.learnNames(secretNames(contracts.assumed));
  const { folder, overlays, profile } = config;
  const fixed = {
    contracts,
    last: runs.findLast(({ verdict }) => verdict !== 'inconclusive'),
    mock: { folder, overlays, ...given({ profile }) },
    verify: { ...optionsOf(config), ...given({ baseline }) },
    now: () => performance.now(),
  };
  const output = new Writable({
    write(chunk, _encoding, done) {
      io.stdout.write(String(chunk));
      done();
    },
  });
  io.stderr.write(`Serving the Model Context Protocol. Target: ${config.target}; verify sends only reads.\n`);
  await serve(sdk, fixed, redactor, { input: Readable.from(io.stdin ?? process.stdin), output, signal: io.signal });
  return EXIT.agrees;
}
