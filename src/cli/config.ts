import { type Config, type LoadConfigOptions, loadConfig } from '../config/config.ts';
import { EFFECTS } from '../contract/contract.ts';
import { ToolError } from '../errors.ts';
import type { RequiredCoverage } from '../model/report.ts';
import { secretsOfHeaders } from '../net/own-headers.ts';
import type { RunEvent } from '../run/options.ts';
import type { Args, Flag } from './args.ts';
import type { Io } from './command.ts';
import { CONTRACT_FLAGS } from './contract.ts';

export const RUN_FLAGS: Readonly<Record<string, Flag>> = {
  target: {
    value: 'mock|URL',
    help: 'API to check (BANKING_API_BASE_URL, else the configuration); mock starts the embedded mock',
  },
  config: { value: 'FILE', help: 'configuration (banking-api.config.yaml if it exists)' },
  ...CONTRACT_FLAGS,
  allow: { value: EFFECTS.join('|'), help: 'strongest effect of calls sent to a URL (read)' },
};

export function loweredText(lowered: readonly string[]): string {
  return lowered.length === 0 ? '' : `; declared a read by the configuration: ${lowered.join(', ')}`;
}

export function proxyText({ network, target }: Config): string {
  const { proxy, unused } = network;
  if (proxy !== null) return `Proxy: ${proxy.url} (${proxy.from}).\n`;
  return unused === null ? '' : `Proxy: none for ${new URL(target).host}: ${unused.why}; ${unused.from} is not used.\n`;
}

export async function configOf(
  args: Args,
  io: Io,
  { sends = true }: Pick<LoadConfigOptions, 'sends'> = {},
): Promise<Config> {
  const config = await loadConfig({
    cwd: io.cwd,
    env: io.env,
    sends,
    signal: () => io.signal,
    flags: {
      target: args.text('target'),
      config: args.text('config'),
      contract: args.text('contract'),
      spec: args.text('spec'),
      overlays: args.list('overlay'),
      baseline: args.text('baseline'),
      allow: args.choice('allow', EFFECTS),
      // A missing switch leaves the decision to the configuration.
      probe: args.switch('probe') || undefined,
      requireCoverage: args.value('require-coverage', requiredCoverage),
      reports: args.list('report'),
    },
  });
  heedSecrets(config, io);
  return config;
}

/** Where the target comes from, if no flag names it. */
export function sourceText({ targetFrom, variables }: Pick<Config, 'targetFrom' | 'variables'>): string {
  if (targetFrom === 'environment') return ` (from ${variables.baseUrl})`;
  return targetFrom === 'file' ? ' (from the configuration)' : '';
}

type SentTo = Extract<RunEvent, { kind: 'target' }>['sentTo'];

/** Which variables are sent to which hosts, as sentences. */
export function sentText({ credentials, token, headers, variables, target }: Config, sentTo: SentTo): string {
  if (target === 'mock') return '';
  const ofHeaders = headers.flatMap(({ variable }) => variable ?? []);
  const sent = [
    ...(credentials === null ? [] : [[[variables.username, variables.password], sentTo.credentials] as const]),
    ...(token === undefined ? [] : [[[variables.token], sentTo.token] as const]),
    ...(ofHeaders.length === 0 ? [] : [[ofHeaders, [new URL(target).host]] as const]),
  ];
  const byHosts = Map.groupBy(sent, ([, hosts]) => hosts.join(' and '));
  const sentences = [...byHosts].map(([hosts, group]) => {
    const names = group.flatMap(([all]) => all).join(', ');
    return hosts === ''
      ? ` Ignored, because the contract needs no such value: ${names}.`
      : ` Sent to ${hosts}: ${names}.`;
  });
  return sentences.join('');
}

/** Adds the secrets of a configuration to those that the redactors of the command mask. */
export function heedSecrets({ headers, network, credentials, token }: Config, io: Io): void {
  const own = credentials === null ? [] : [credentials.password, `${credentials.username}:${credentials.password}`];
  if (token !== undefined) io.secrets?.add(token);
  for (const secret of [...secretsOfHeaders(headers).values, ...network.secrets, ...own]) io.secrets?.add(secret);
}

function requiredCoverage(text: string): RequiredCoverage {
  const entries = text.split(',').map((part) => {
    const [, percent, number] = /^fields=(\d{1,2}|100)%$|^statements=(\d{1,4})$/.exec(part) ?? [];
    if (percent !== undefined) return ['fields', Number(percent)] as const;
    if (number !== undefined) return ['statements', Number(number)] as const;
    throw new ToolError('usage', `--require-coverage does not take ${JSON.stringify(part)}.`, {
      hint: 'Write fields=60% or statements=8, or both with a comma between them.',
    });
  });
  return Object.fromEntries(entries);
}
