import { existsSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { CONFIG_FILE, isUrl } from '../../config/chosen-contract.ts';
import { loadConfig } from '../../config/config.ts';
import { readConfigFile } from '../../config/file.ts';
import { EXIT, type ExitCode } from '../../errors.ts';
import { CONFIG, readTextFile, unlessMissing } from '../../files/read.ts';
import { assertWritable, writeTogether } from '../../files/write.ts';
import { variablesOf } from '../../model/variables.ts';
import type { RecordOptions } from '../../run/record.ts';
import type { Survey } from '../../run/survey.ts';
import { type Args, parseCommandLine, usage } from '../args.ts';
import type { Command, Io } from '../command.ts';
import { configOf, heedSecrets, proxyText } from '../config.ts';
import { CONTRACT_FLAGS, folderText, loadAnnounced, noticeText } from '../contract.ts';
import {
  type Ask,
  areNamed,
  askerOf,
  assertGoing,
  confirm,
  pairsOf,
  targetFrom,
  variablesFrom,
} from '../init/answers.ts';
import type { Settings } from '../init/config-text.ts';
import { explore, MOST_ROUNDS } from '../init/explore.ts';
import type { Proposal } from '../init/locations.ts';
import { PLATFORMS, platformOf, type Texts, workflowFor } from '../init/workflow.ts';
import { joinPlain } from '../recordings.ts';
import { optionsOf } from './verify.ts';

const LOCATIONS = 'tenant.overlay.yaml';
const RECORDING = 'recorded.overlay.yaml';
/** Answers per read. Later runs learn more (`--learn`). */
const SAMPLES = 3;

export const command: Command = {
  flags: {
    target: { value: 'URL', help: 'sandbox (BANKING_API_BASE_URL)' },
    username: { value: 'env:NAME', help: 'variable that holds the user name (env:BANKING_API_USERNAME)' },
    password: { value: 'env:NAME', help: 'variable that holds the password (env:BANKING_API_PASSWORD)' },
    ...CONTRACT_FLAGS,
    ci: { value: PLATFORMS.join('|'), help: 'workflow to write (that of the repository)' },
    parameter: { value: 'NAME=VALUE', repeatable: true, help: 'an id that no answer shows' },
    from: { value: 'FILE', help: 'capture (.har) or journal, to find paths that the reference omits' },
    'accept-path': { value: 'ID=GET /PATH', repeatable: true, help: 'a path that --from proposes, and you checked' },
    skip: { value: 'ID=REASON', repeatable: true, help: 'a read that lacks an id, and is not called for 180 days' },
    yes: { help: 'ask nothing' },
    force: { help: 'overwrite files; other settings of the configuration stay' },
  },
  exits: {
    [EXIT.agrees]: 'the files were written; the verdict of verify does not count',
    [EXIT.usage]: 'usage or configuration error, a missing answer, or a file that exists',
    [EXIT.inconclusive]: 'no token, or nothing to read; no file written',
    [EXIT.interrupted]: 'interrupted',
  },
  run,
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  const ask = askerOf(args, io);
  const prepared = await prepare(args, io, ask);
  const { options, config, proposals } = prepared;
  io.stderr.write(await announcement(prepared));
  await confirm(args, io);

  const skipped = Object.keys(pairsOf(args, 'skip', 'ID=REASON'));
  const { seen, parameters, unshown } = await explore(options, skipped, ask, io);
  if (seen.trouble !== null || seen.readable.length + seen.lacking.length === 0) {
    return nothingWritten(`${seen.trouble ?? 'No operation can be read'}.`, io);
  }
  const skip = await skipsFrom(args, seen);

  const called = seen.readable.map(({ operationId }) => operationId);
  const { locationsText, withoutMissed } = await import('../init/locations.ts');
  const { recorded, failed } = await recordReads({ ...options, parameters }, called, io);
  // a path that did not answer well may be a wrong match
  const answered = withoutMissed(proposals, new Set(failed));
  const located = await locationsOf(answered, prepared);
  const isWrong = proposals.some(({ accepted }) => accepted !== undefined && failed.includes(accepted));
  const overlaid = [...prepared.below, ...located];
  const again = { ...options, overlays: overlaid, parameters };
  const { recording, target } = isWrong ? (await recordReads(again, [], io)).recorded : recorded;
  if (recording === null) return nothingWritten('No operation answered well.', io);

  const { assertLoads } = await import('../../learn/load-merged.ts');
  const below = { folder: config.folder, overlays: overlaid, assumed: target.kind === 'mock' };
  io.stderr.write(noticeText(await assertLoads(prepared.path(RECORDING), recording.text, below)));

  const { latestEnd } = await import('../../run/skips.ts');
  const { configText, lackingText, prefixText } = await import('../init/config-text.ts');
  const overlays = [...prepared.below, ...located.map(({ file }) => file), prepared.path(RECORDING)];
  const lacking = seen.lacking.filter(({ operationId }) => !Object.hasOwn(skip, operationId));
  const settings = { ...prepared.settings, overlays: overlays.map(prepared.inFile), parameters, skip };
  const texts: Texts = {
    ...prepared.workflow.texts,
    ...(proposals.length > 0 && { [LOCATIONS]: locationsText(answered, config.target) }),
    [RECORDING]: recording.text,
    [CONFIG_FILE]: [
      configText(prepared.before, settings),
      prefixText(prepared.before, prepared.prefix),
      lackingText(lacking, unshown, latestEnd(Date.now)),
    ].join(''),
  };
  await writeTogether(Object.fromEntries(Object.entries(texts).map(([name, text]) => [prepared.path(name), text])));
  io.stdout.write(`Written: ${Object.keys(texts).join(', ')}\n`);
  io.stdout.write(prepared.workflow.steps.map((step) => `- ${step}\n`).join(''));
  return verifyOnce(config.target, io);
}

/** Records, and prints which of the called operations did not answer well. */
async function recordReads(options: RecordOptions, called: readonly string[], io: Io) {
  const { record } = await import('../../run/record.ts');
  const recorded = await record(options);
  assertGoing(io);
  const failed = called.filter((id) => !recorded.answered.includes(id));
  const lines = failed.map((id) => {
    const missed = recorded.missed.find(({ operationId }) => operationId === id);
    return `  ${id}: ${missed?.reason ?? 'answered with errors only'}`;
  });
  if (lines.length > 0) io.stderr.write(`No good answer:\n${joinPlain(lines)}\n`);
  return { recorded, failed };
}

function nothingWritten(why: string, io: Io): ExitCode {
  io.stderr.write(`${joinPlain([`${why} No file was written.`])}\n`);
  return EXIT.inconclusive;
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Everything that is known before the first request. */
async function prepare(args: Args, io: Io, ask: Ask) {
  const path = (name: string): string => resolve(io.cwd, name);
  const inFile = (file: string): string => relative(io.cwd, file).replaceAll(sep, '/');
  const from = args.text('from');
  const platform = args.choice('ci', PLATFORMS) ?? (await platformOf(io.cwd));
  const own = [CONFIG_FILE, RECORDING, ...(from === undefined ? [] : [LOCATIONS])];
  refuseExisting(own, args, io);
  const file = path(CONFIG_FILE);
  const before = await unlessMissing(readTextFile(file, CONFIG), undefined);
  const earlier =
    before === undefined
      ? undefined
      : (await readConfigFile(file, {}, { folder: dirname(file), env: io.env, draft: undefined })).values;
  const usual = variablesOf(earlier?.environment);
  const baseUrl = await targetFrom(args, ask, io.env[usual.baseUrl] || earlier?.target?.baseUrl);
  const variables = await variablesFrom(args, io, ask, earlier?.credentials, usual);
  const { contract, spec } = { contract: args.text('contract'), spec: args.text('spec') };
  if (spec !== undefined && isUrl(spec)) {
    throw usage('--spec: init needs a file, because a configuration names no URL.', 'Save the document first.');
  }
  const settings: Settings = {
    baseUrl,
    credentials: areNamed(variables, usual) ? variables : undefined,
    contract: contract && inFile(path(contract)),
    spec: spec && inFile(path(spec)),
    parameters: pairsOf(args, 'parameter', 'NAME=VALUE'),
  };
  const { configText } = await import('../init/config-text.ts');
  const config = await loadConfig({
    cwd: io.cwd,
    env: io.env,
    flags: { config: file, target: baseUrl, overlays: args.list('overlay') },
    draft: configText(before, settings),
  });
  heedSecrets(config, io);
  const workflow = await workflowFor(platform, io.cwd, config);
  refuseExisting(Object.keys(workflow.texts), args, io);
  await assertWritable(file);
  // a missing engine is reported before any question about the target
  await (await import('../../run/engine.ts')).loadEngine();

  // earlier files of init are replaced
  const below = config.overlays.filter((overlay) => !own.map(path).includes(overlay));
  const contractBefore = await loadAnnounced({ folder: config.folder, overlays: below }, io);
  const { askToAccept, proposalsIn, withAccepted } = await import('../init/locations.ts');
  const found = from === undefined ? [] : await proposalsIn(path(from), contractBefore);
  const flagged = withAccepted(found, args.list('accept-path'));
  const proposals = args.switch('yes') ? flagged : await askToAccept(flagged, ask);
  const prefix = contractBefore.at('/x-environment');
  const parts = { path, inFile, before, settings, config, workflow, proposals, below, prefix };
  const overlays = [...below, ...(await locationsOf(proposals, parts))];
  // an earlier configuration may allow more
  const sent = { allow: 'read', probe: false, signal: io.signal, samples: SAMPLES } as const;
  const options: RecordOptions = { ...optionsOf(config), overlays, ...sent };
  return { ...parts, options };
}

/** The overlay of the accepted paths, if there are any. */
async function locationsOf(proposals: readonly Proposal[], { path, config }: Pick<Prepared, 'path' | 'config'>) {
  const { hasAccepted, locationsText } = await import('../init/locations.ts');
  return hasAccepted(proposals) ? [{ file: path(LOCATIONS), text: locationsText(proposals, config.target) }] : [];
}

/** The verdict of the new files. It does not count. */
async function verifyOnce(target: string, io: Io): Promise<ExitCode> {
  io.stdout.write('\nOne run with these files:\n');
  const { command, verifyBy } = await import('./verify.ts');
  const args = parseCommandLine(command, ['--target', target, '--allow', 'read']);
  // an earlier configuration may ask for probes
  if (args !== null) await verifyBy({ ...(await configOf(args, io)), probe: false }, args, io);
  return io.signal.aborted ? EXIT.interrupted : EXIT.agrees;
}

function refuseExisting(names: readonly string[], args: Args, io: Io): void {
  const there = names.filter((name) => existsSync(resolve(io.cwd, name)));
  if (there.length === 0 || args.switch('force')) return;
  const verb = there.length === 1 ? 'exists' : 'exist';
  throw usage(`${there.join(', ')} already ${verb}.`, 'To overwrite, use --force. Settings stay.');
}

/** What is sent where, and which files follow. */
async function announcement({ config, options, proposals, workflow }: Prepared) {
  const { variables, credentials, token } = config;
  const { survey } = await import('../../run/survey.ts');
  const { plan } = await import('../../run/plan.ts');
  const { readable, lacking } = await survey(options, false);
  const unknown = Object.fromEntries(lacking.flatMap(({ names }) => names.map((name) => [name, 'id'])));
  const rows = await plan({ ...options, parameters: { ...unknown, ...options.parameters } });
  const finding = rows.filter(({ checkId }) => checkId === 'run.discovery').length;
  const planned = rows.reduce((sum, { times }) => sum + times, 0);
  const reads = readable.length + lacking.length + 1;
  // surveys, a recording (a second one without wrong matches) and a run of verify
  const recordings = proposals.some(({ accepted }) => accepted !== undefined) ? 2 : 1;
  const most =
    (finding + 1) * (1 + MOST_ROUNDS) +
    recordings * (planned + reads * SAMPLES) +
    (planned + reads * config.repeatReads);
  const locations = proposals.length > 0 ? [LOCATIONS] : [];
  const files = [CONFIG_FILE, ...locations, RECORDING, ...Object.keys(workflow.texts)];
  const secrets = [
    ...(credentials === null ? [] : [variables.username, variables.password]),
    ...(token === undefined ? [] : [variables.token]),
  ];
  return [
    `Target: ${config.target}\n`,
    proxyText(config),
    folderText(config.folder, true),
    `Credentials: ${secrets.join(' and ') || 'none'}\n`,
    `Requests: at most ${most}, all of them reads. Failed requests may be repeated.\n`,
    `Files: ${files.join(', ')}\n`,
  ].join('');
}

async function skipsFrom(args: Args, { skippable }: Survey): Promise<NonNullable<Settings['skip']>> {
  const { latestEnd } = await import('../../run/skips.ts');
  const until = latestEnd(Date.now);
  const stated = Object.entries(pairsOf(args, 'skip', 'ID=REASON'));
  const wrong = stated.find(([id]) => !skippable.includes(id));
  if (wrong !== undefined) {
    throw usage(`--skip ${wrong[0]}: Only a located read that lacks a parameter or a body can be skipped.`);
  }
  return Object.fromEntries(stated.map(([id, reason]) => [id, { reason, until }]));
}
