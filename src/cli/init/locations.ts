import type { Contract } from '../../contract/contract.ts';
import { locatingActions, recordTraffic, type StrayTraffic } from '../../learn/traffic.ts';
import { createRedactor } from '../../redact/redact.ts';
import { usage } from '../args.ts';
import type { Ask } from './answers.ts';

/** A path of captured traffic that may belong to an operation without a known path. */
export interface Proposal extends StrayTraffic {
  /** The operation that a person accepted; always a GET. */
  readonly accepted?: string;
}

export async function proposalsIn(source: string, contract: Contract): Promise<readonly Proposal[]> {
  const { strays } = await recordTraffic(source, contract);
  return strays.filter(({ candidates, path }) => candidates.length > 0 && !path.includes('…'));
}

const ACCEPTANCE = /^([^=\s]+)=([A-Za-z]+) (\/\S*)$/;

/**
 * Marks the proposals that `--accept-path` names.
 * @throws ToolError `usage` for anything but a proposed GET
 */
export function withAccepted(proposals: readonly Proposal[], stated: readonly string[]): readonly Proposal[] {
  let all = proposals;
  for (const text of stated) {
    const refuse = (message: string, hint?: string) => usage(`--accept-path ${JSON.stringify(text)}: ${message}`, hint);
    const [, id = '', method = '', path = ''] = ACCEPTANCE.exec(text) ?? [];
    if (id === '') throw refuse('This is no operation with its path.', 'Write it like listThings="GET /api/things".');
    if (method !== 'GET') throw refuse('Only a GET can be accepted.', 'Add other methods to an overlay by hand.');
    const found = all.find((one) => one.method === 'GET' && one.path === path && one.candidates.includes(id));
    if (found === undefined) {
      const known = all.filter((one) => one.method === 'GET').flatMap(acceptances);
      throw refuse('The captured traffic does not propose it.', `Proposed: ${known.join(', ') || 'nothing'}.`);
    }
    if (all.some(({ accepted }) => accepted === id)) throw refuse(`${id} has another path already.`);
    all = all.map((one) => (one === found ? { ...one, accepted: id } : one));
  }
  return all;
}

function acceptances({ candidates, path }: Proposal): string[] {
  return candidates.map((id) => `${id}="GET ${path}"`);
}

/** Asks for each proposed GET on the terminal. */
export async function askToAccept(proposals: readonly Proposal[], ask: Ask): Promise<readonly Proposal[]> {
  let all = proposals;
  for (const one of proposals) {
    const id = one.candidates.find((each) => !all.some(({ accepted }) => accepted === each));
    if (one.method !== 'GET' || one.accepted !== undefined || id === undefined) continue;
    const answer = await ask(`The traffic has GET ${one.path}. Is it ${id}? [y/N] `);
    if (/^(?:y|yes)$/i.test(answer ?? '')) {
      all = all.map((each) => (each === one ? { ...each, accepted: id } : each));
    }
  }
  return all;
}

/** Takes back the acceptance of operations that did not answer well. */
export function withoutMissed(proposals: readonly Proposal[], missed: ReadonlySet<string>): readonly Proposal[] {
  return proposals.map(({ accepted, ...one }) =>
    accepted === undefined || missed.has(accepted) ? one : { ...one, accepted },
  );
}

/** An overlay with the accepted paths. Other proposals are comments. */
export function locationsText(proposals: readonly Proposal[], target: string): string {
  const accepted = proposals.flatMap((one) => (one.accepted ? [{ ...one, candidates: [one.accepted] }] : []));
  const rest = locatingActions(proposals.filter((one) => one.accepted === undefined));
  const comments = rest.replace(/^ {2}(?!#)/gm, '  # ');
  const text = [
    '# Where this target has operations that the reference only names.',
    ...(accepted.length === 0 ? ['# Nothing is accepted yet. To accept a path, remove its #.'] : []),
    'overlay: 1.0.0',
    'x-provenance: observed',
    `info: { title: ${JSON.stringify(`Paths of ${new URL(target).host}`)}, version: '1' }`,
    'actions:',
    `${locatingActions(accepted)}${comments}`,
  ];
  return createRedactor().text(text.join('\n'));
}

export function hasAccepted(proposals: readonly Proposal[]): boolean {
  return proposals.some(({ accepted }) => accepted !== undefined);
}
