import { once } from 'node:events';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { Contract } from '../../contract/contract.ts';
import { EXIT, type ExitCode } from '../../errors.ts';
import type { JournalWriter } from '../../journal/write.ts';
import type { Mock, MockCredentials, MockOptions } from '../../mock/mock.ts';
import { DEFAULT_CREDENTIALS } from '../../mock/tokens/token-endpoint.ts';
import type { Exchange } from '../../model/exchange.ts';
import { hostName, isLoopback } from '../../net/host.ts';
import { createRedactor, type Redactor } from '../../redact/redact.ts';
import { plain } from '../../text/plain.ts';
import { type Args, usage } from '../args.ts';
import { type Command, given, type Io } from '../command.ts';
import { CONTRACT_FLAGS, filePaths, folderOf, folderText, noticeText } from '../contract.ts';
import { boundHeap } from '../heap.ts';
import { redactorOf, secretsOf } from '../secrets.ts';
import {
  JOURNAL_FLAGS,
  listenAddress,
  listenFlags,
  openJournal,
  reachableAddresses,
  reachableLines,
  serving,
} from '../serving.ts';
import { VERBOSE_FLAG, verbosePrinter } from '../verbose.ts';

const DEFAULT_PORT = 4010;
/** Ten years, in seconds: longer than any mock runs, and the expiry stays a valid date. */
const LONGEST_LIFETIME = 315_360_000;

export const command: Command = {
  synopsis: '[FILE|URL]',
  flags: {
    ...listenFlags(DEFAULT_PORT),
    ...CONTRACT_FLAGS,
    engine: {
      value: 'compiled|prism',
      help: 'prism: let Prism answer every API request, without state (compiled)',
    },
    'token-lifetime': { value: 'SECONDS', help: 'token lifetime (from the profile and the contract)' },
    credentials: { value: 'USER:PASSWORD', help: 'credentials for the token endpoint (sandbox:sandbox-secret)' },
    'any-token': { help: 'accept any bearer token, even one that was never issued' },
    strict: { help: 'also reject body members and query names that the contract does not define' },
    lenient: { help: 'accept requests that violate only assumptions, with an x-mock-warning header' },
    'withdraw-deprecated': { help: 'answer 410 to deprecated operations' },
    sunset: { value: 'DATE', help: 'Sunset date of deprecated operations' },
    stateless: { help: 'keep no state: every id exists, and created records are not shown' },
    seed: { value: 'NUMBER', help: 'seed of generated ids and payloads (1)' },
    profile: { value: 'NAME|FILE', help: 'kind of tenant: a profile of the contract, or a file (default)' },
    'seed-data': {
      value: 'NAME|FILE',
      help: 'initial data: a seed of the contract, such as rich, or a file (YAML, JSON, module)',
    },
    lists: {
      value: 'usual|plain',
      help: 'usual: add page, size, sort and a filter per field to every list (usual with a named seed)',
    },
    store: { value: 'FILE|redis://…', help: 'keep the state in a file or in a shared Redis (in memory)' },
    scenario: {
      value: 'NAME|FILE',
      repeatable: true,
      help: 'start with these scenarios: names or files (.yaml, .json), separated by commas',
    },
    'allow-webhook': {
      value: 'HOST',
      repeatable: true,
      help: 'also send webhooks to this host name, address or range',
    },
    'allow-host': {
      value: 'HOST',
      repeatable: true,
      help: 'also answer to this host name, for example a service name in a container network',
    },
    'allow-origin': {
      value: 'ORIGIN',
      repeatable: true,
      help: 'also let pages of this origin read answers: http://192.168.1.20:5173, https://*.app.github.dev',
    },
    'control-token': {
      value: 'TOKEN',
      help: 'token that the control API requires from pages and other machines (a new one)',
    },
    'signing-key': {
      value: 'FILE',
      help: 'sign tokens with the key in this file; it is created if missing (a new key)',
    },
    callers: {
      value: 'WHOSE',
      help: 'for audit --mock: all exchanges come from one program, or by-connection from several',
    },
    watch: { help: 'reload the spec, overlays and other given files when they change' },
    ...JOURNAL_FLAGS,
    ...VERBOSE_FLAG,
  },
  exits: {
    [EXIT.agrees]: 'stopped by SIGINT, SIGTERM or SIGHUP',
  },
  run: serving(run),
};

async function run(args: Args, io: Io): Promise<ExitCode> {
  boundHeap();
  const folder = await folderOf(args, io, specOf(args));
  io.stderr.write(folderText(folder));
  const options = { ...optionsOf(args, io), folder, signal: io.signal };
  const { seedData } = options;
  if (typeof seedData === 'string') {
    const { isUnconfined } = await import('../../mock/tenant/read-parts.ts');
    if (isUnconfined(folder, seedData))
      io.stderr.write(`Seed: ${plain(seedData)} is code, and runs with all rights of this command.\n`);
  }
  const journal = await journalOf(args, io, options);
  const print = await verbosePrinter(
    args,
    (line) => io.stderr.write(line),
    () => journalRedactor(options, io, () => contractOf(options)),
  );
  const started = Promise.withResolvers<Mock>();
  const watcher = args.switch('watch') ? await watch(options, io, started.promise) : undefined;
  let mock: Mock;
  try {
    const onStoreProblem = (problem: string): void =>
      void io.stderr.write(`Store: ${plain(problem)}. Requests that need it get 503.\n`);
    const onExchange = (exchange: Exchange): void => {
      journal?.append(exchange);
      print?.(exchange);
    };
    const { startMock } = await import('../../mock/start-mock.ts');
    mock = await startMock({ ...options, onStoreProblem, ...((journal ?? print) && { onExchange }) });
  } catch (error) {
    watcher?.close();
    await journal?.close();
    throw error;
  }
  started.resolve(mock);
  try {
    await announce(mock, options, io);
    // its address was never printed
    if ((await io.stdout.failure?.()) != null) return EXIT.usage;
    if (!io.signal.aborted) await once(io.signal, 'abort');
  } finally {
    watcher?.close();
    await mock.close();
    await journal?.close();
  }
  return EXIT.agrees;
}

/** `mock FILE` is short for `mock --spec FILE`. */
function specOf(args: Args): string | undefined {
  const given = [...args.positionals, ...args.list('spec')];
  if (given.length > 1) throw usage(`mock takes one document, and got ${given.length}: ${given.join(', ')}.`);
  return given[0];
}

function optionsOf(args: Args, io: Io): MockOptions {
  const file = (name: string): string => resolve(io.cwd, name);
  // a word is a profile or a seed of the contract, anything else a file
  const nameOrFile = (name: string): string => (/[./\\]/.test(name) ? file(name) : name);
  return {
    ...listenAddress(args, DEFAULT_PORT),
    overlays: filePaths(args, 'overlay', io),
    allowedHosts: args.list('allow-host').map(parseHost),
    allowedOrigins: args.list('allow-origin'),
    anyToken: args.switch('any-token'),
    strict: args.switch('strict'),
    lenient: args.switch('lenient'),
    stateless: args.switch('stateless'),
    withdrawDeprecated: args.switch('withdraw-deprecated'),
    scenarios: scenariosOf(args, io),
    webhookHosts: args.list('allow-webhook'),
    ...given({
      engine: args.choice('engine', ['compiled', 'prism'] as const),
      callers: args.choice('callers', ['one', 'by-connection'] as const),
      tokenLifetime: args.integer('token-lifetime', { min: 1, max: LONGEST_LIFETIME }),
      credentials: args.value('credentials', parseCredentials),
      controlToken: args.text('control-token'),
      signingKey: args.value('signing-key', file),
      sunset: args.value('sunset', parseSunset),
      seed: args.integer('seed', { min: 0, max: Number.MAX_SAFE_INTEGER }),
      profile: args.value('profile', nameOrFile),
      seedData: args.value('seed-data', nameOrFile),
      lists: args.choice('lists', ['usual', 'plain'] as const),
      store: args.value('store', (store) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(store) ? store : file(store))),
    }),
  };
}

async function watch(options: MockOptions, io: Io, mock: Promise<Mock>): Promise<{ close(): void }> {
  const { filesOf, watchMock } = await import('../../mock/watch.ts');
  return watchMock({
    mock,
    files: filesOf(options),
    tell: (line) => io.stderr.write(`${line}\n`),
    onServed: async (served) => void io.stderr.write(noticeText((await served.contract()).notices)),
    cwd: io.cwd,
  });
}

async function journalOf(args: Args, io: Io, options: MockOptions): Promise<JournalWriter | undefined> {
  const contract = (): Promise<Contract> => contractOf(options);
  const writer = await openJournal(args, io, { redactor: () => journalRedactor(options, io, contract), contract });
  if (writer === undefined) return undefined;
  const { numberedAfter } = await import('../../journal/write.ts');
  return { ...writer, append: (exchange) => writer.append(numberedAfter(exchange, writer.last)) };
}

async function contractOf(options: MockOptions): Promise<Contract> {
  const { loadMockContract } = await import('../../mock/tenant/mock-contract.ts');
  return loadMockContract(options);
}

async function journalRedactor(options: MockOptions, io: Io, contract: () => Promise<Contract>): Promise<Redactor> {
  const { secretNames } = await import('../../contract/secrets.ts');
  const { credentials = DEFAULT_CREDENTIALS } = options;
  const known = secretsOf(io);
  const redactor = createRedactor({
    secrets: [credentials.password, ...known.secrets],
    credentials: [credentials, ...known.credentials],
  });
  redactor.learnNames(secretNames(await contract()));
  return redactor;
}

/** The user name ends at the first colon (RFC 7617). The value is a secret, so the message does not quote it. */
function parseCredentials(text: string): MockCredentials {
  const colon = text.indexOf(':');
  if (colon < 1) throw usage('--credentials takes USER:PASSWORD.');
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

function scenariosOf(args: Args, io: Io): readonly string[] {
  const wanted = args.list('scenario').flatMap((list) => list.split(','));
  return wanted.map((one) => (/\.(?:ya?ml|json)$/i.test(one) ? resolve(io.cwd, one) : one.trim()));
}

/** A name or address without a port: the port of a Host field does not matter. */
function parseHost(text: string): string {
  const host = hostName(isIP(text) === 6 ? `[${text}]` : text);
  const hasPort = isIP(text) === 0 && text.includes(':') && !text.endsWith(']');
  if (host === null || hasPort) throw usage('--allow-host takes a host name or address without a port.');
  return host;
}

function parseSunset(text: string): Date {
  const date = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? new Date(text)
    : new Date(Number.NaN);
  const isDay = !Number.isNaN(date.getTime()) && (text.length > 10 || date.toISOString().startsWith(text));
  if (!isDay) throw usage('--sunset takes a date like 2027-06-30, or a date-time with an offset.');
  return date;
}

/** The first line on stdout holds the URL and is written once the mock accepts connections. Messages go to stderr. */
async function announce(mock: Mock, options: MockOptions, io: Io): Promise<void> {
  io.stdout.write(`Mock of the API listens on ${mock.url}\n`);
  const lines = [
    ...credentialLines(mock, io),
    'Every answer names its provenance in x-mock-provenance. Stop with Ctrl-C.',
    ...pageLines(mock, options),
  ];
  if ((options.scenarios ?? []).length > 0) lines.push(`Active scenarios: ${(options.scenarios ?? []).join(', ')}.`);
  const { resources } = mock;
  if (resources.length > 0)
    lines.push(
      'State by the shape of the paths (--stateless turns it off):',
      ...resources.map((one) => `  ${plain(one)}`),
    );
  if (options.engine === 'prism') lines.push('Prism answers every API request, without state (--engine prism).');
  if (options.anyToken) lines.push('Every bearer token is accepted (--any-token).');
  lines.push(...reachableLines(options.host));
  io.stderr.write(`${lines.join('\n')}\n${noticeText((await mock.contract()).notices)}`);
}

/** The page at each address of the mock. Beyond loopback, the control token is printed only if the user chose it. */
function pageLines({ url, port, controlToken }: Mock, { host, signingKey }: MockOptions): string[] {
  const open = host !== undefined && !isLoopback(host);
  const addresses = open ? reachableAddresses(host, port) : [];
  const fragment = open ? `#token=${controlToken}` : '';
  return [
    ...addresses.map((address) => `On the network: ${address}`),
    ...(addresses.length > 0 ? addresses : [url]).map((address) => `Page:        ${address}/__mock/${fragment}`),
    `Control API: ${url}/__mock/health; pages send x-mock-control-token: ${controlToken}`,
    ...(signingKey === undefined ? [] : [`Tokens stay valid after a restart: ${plain(signingKey)} signs them.`]),
  ];
}

/** The mock's own credentials in full, or not at all if redaction would mask a part of them. */
function credentialLines({ credentials: { username, password }, tokenCommand }: Mock, io: Io): string[] {
  const lines = [
    `Credentials: ${username}:${password}`,
    tokenCommand === null
      ? 'No operation issues tokens: the password is the bearer token and every API key, and HTTP Basic takes the credentials.'
      : `A token:     ${tokenCommand}`,
  ];
  const redactor = redactorOf(io);
  const whole = lines.every((line) => redactor.text(line) === line && plain(line) === line);
  return whole ? lines : ['Credentials: the given ones (hidden, because they look like secrets)'];
}
