import type { JournalEntry } from '../../http/journal.ts';
import { headerOf } from '../answer.ts';
import { fillPath } from '../call.ts';
import type { Heard } from '../exchanges.ts';
import { PROBLEM_BASE } from '../problem.ts';
import { tokenCommand } from '../token-command.ts';
import type { Controls } from './controls.ts';
import { FAULTY_FIELDS, REASONS, reasonOf } from './reasons.ts';

/** Why a request was refused. */
export interface Why {
  readonly seq: number;
  readonly method: string;
  readonly path: string;
  readonly operationId: string | null;
  readonly status: number;
  /** The rule: the kind of the problem, or the error code of the token endpoint. */
  readonly rule: string;
  /** The step of judgement at which it was refused, as docs/mock.md counts them. */
  readonly step: string;
  readonly message: string;
  /** What is wrong with it, each with its place. */
  readonly where: readonly {
    readonly in: string;
    readonly pointer?: string;
    readonly name?: string;
    readonly message: string;
  }[];
  readonly wouldPass: string;
  /** What the rule rests on. */
  readonly reference: string;
  /** Scenarios that had a hand in it. */
  readonly scenarios: readonly string[];
  /** A request that passes, as a command line; null where none can be told. */
  readonly example: string | null;
}

export function isRefusal({ answer }: Heard): boolean {
  return answer.status >= 400;
}

/** Explains a refusal by the answer that was given and by the contract. */
export async function why(heard: Heard, entry: JournalEntry, controls: Controls): Promise<Why> {
  const { answer, trail, call } = heard;
  const told = parsed(heard);
  const rule = ruleOf(told) ?? (trail.scenarios ? 'scenario' : 'other');
  const named = controls.parts().entities.file.refusals?.[rule];
  const reason = REASONS[rule] ?? (named ? reasonOf(named) : REASONS.other);
  const challenge = headerOf(answer, 'www-authenticate');
  const errors = Array.isArray(told.errors) ? (told.errors as Why['where']) : [];
  const [field, fault = ''] = FAULTY_FIELDS[rule] ?? [];
  const where = field === undefined ? [] : [{ in: 'header', name: field, message: fault }];
  const allow = headerOf(answer, 'allow');
  return {
    seq: heard.seq,
    method: call.method,
    path: entry.path,
    operationId: entry.operationId,
    status: answer.status,
    rule,
    step: reason.step,
    message: String(told.detail ?? told.error_description ?? challenge ?? 'the answer says no more than its status'),
    where: errors.length > 0 ? errors : where,
    wouldPass: allow === undefined || rule !== 'method-not-allowed' ? reason.wouldPass : `one of ${allow}`,
    reference: reason.reference,
    scenarios: trail.scenarios ?? [],
    example: await exampleOf(heard, controls),
  };
}

function parsed({ answer }: Heard): Readonly<Record<string, unknown>> {
  if (!/json/.test(headerOf(answer, 'content-type') ?? '')) return {};
  try {
    const value = JSON.parse(String(answer.body)) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function ruleOf({ type, error }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof type === 'string' && type.startsWith(PROBLEM_BASE)) return type.slice(PROBLEM_BASE.length);
  return typeof error === 'string' ? error : undefined;
}

/** A request of the same operation as the contract wants it, in words of curl; secrets are named, not shown. */
async function exampleOf({ trail, call }: Heard, { contract, url }: Controls): Promise<string | null> {
  const { operation } = trail;
  if (!operation) return null;
  const target = `${url()}${fillPath(operation.path, trail.parameters ?? {})}`;
  const { token: facts, operation: byId } = await contract();
  if (operation.auth === 'issues') return facts && tokenCommand(facts, `'${target}'`, ['"$USERNAME"', '"$PASSWORD"']);
  const method = operation.method === 'GET' ? '' : ` -X ${operation.method}`;
  const known = byId(operation.operationId);
  const media = operation.request?.media[0]?.type;
  const wantsBody = known && media !== undefined && (operation.request?.required || call.body);
  const body = wantsBody ? ` -H 'Content-Type: ${media}' -d '{}'` : '';
  const token = operation.auth === 'bearer' ? ' -H "Authorization: Bearer $TOKEN"' : '';
  return `curl${method}${token}${body} '${target.replaceAll("'", '%27')}'`;
}
