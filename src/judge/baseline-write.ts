import type { Document, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { Finding } from '../model/finding.ts';
import { compare } from './findings.ts';

/** What findings are accepted with. */
export interface Acceptance {
  readonly reason: string;
  /** `YYYY-MM-DD`. */
  readonly expires: string;
  /** Undefined keeps the owner that an entry has. */
  readonly owner?: string | undefined;
}

const HEAD = `# yaml-language-server: $schema=https://unpkg.com/banking-api-contract/schemas/baseline.schema.json
# Findings that are accepted until a date. "banking-api accept" adds to it; edit it as you like: comments and notes are kept.
baselineVersion: 1
accepted:
`;

/** The order of the list: where it is, what it is. Not of time, so that two people who accept the same get the same file. */
function keyOf({
  operation,
  rule,
  pointer,
  fingerprint,
}: Record<'operation' | 'rule' | 'pointer' | 'fingerprint', unknown>): string {
  // an operation that is not known sorts last
  return JSON.stringify([operation ?? '\uffff', rule ?? '', pointer ?? '', fingerprint]);
}

/**
 * The text of a baseline with findings accepted in it: new ones stand where the order wants them, known ones get the new reason and
 * date. Every other line stays as it is. `text` is that of a valid baseline, or null where there is none yet.
 */
export async function acceptInto(text: string | null, findings: readonly Finding[], by: Acceptance): Promise<string> {
  const once = new Map(findings.map((finding) => [finding.fingerprint, finding]));
  const wanted = [...once.values()].sort((a, b) => compare(orderOf(a), orderOf(b)));
  if (text === null || text.trim() === '') {
    return HEAD + wanted.map((finding) => `${indented(entryText(finding, by), '  ')}\n`).join('');
  }
  const yaml = await import('yaml');
  const current = text.endsWith('\n') ? text : `${text}\n`;
  const document = yaml.parseDocument(current, { uniqueKeys: false });
  const list = document.get('accepted', true);
  const entries = yaml.isSeq(list) ? (list.items as YAMLMap[]) : [];
  const byFingerprint = new Map(entries.map((entry) => [entry.get('fingerprint'), entry]));
  const known = wanted.flatMap(({ fingerprint }) => byFingerprint.get(fingerprint) ?? []);
  const added = wanted.filter(({ fingerprint }) => !byFingerprint.has(fingerprint));
  if (yaml.isSeq(list) && entries.length > 0 && list.flow !== true) {
    const edits = [
      ...known.flatMap((entry) => renewals(current, entry, by)),
      ...insertions(current, entries, added, by),
    ];
    return edited(current, edits);
  }
  for (const entry of known) for (const [key, value] of renewed(by)) entry.set(key, value);
  if (added.length > 0) extend(document, added, by, yaml);
  return document.toString({ lineWidth: 0 });
}

/** The text of a valid baseline without some of its entries, and without the comments that belong to them. Every other line stays. */
export async function pruneFrom(text: string, fingerprints: ReadonlySet<string>): Promise<string> {
  const yaml = await import('yaml');
  const document = yaml.parseDocument(text, { uniqueKeys: false });
  const list = document.get('accepted', true);
  if (!yaml.isSeq(list)) return text;
  const entries = list.items as YAMLMap[];
  const isGone = (entry: YAMLMap): boolean => fingerprints.has(String(entry.get('fingerprint')));
  const gone = entries.filter(isGone);
  if (gone.length === 0) return text;
  if (list.flow === true || gone.length === entries.length) {
    list.items = entries.filter((entry) => !isGone(entry));
    if (list.items.length === 0) list.flow = true;
    list.commentBefore = null;
    return document.toString({ lineWidth: 0 });
  }
  const starts = entries.map((each) => text.lastIndexOf('-', each.range?.[0] ?? 0));
  const indent = columnOf(text, starts[0] ?? 0);
  const from = starts.map((start) => aboveComments(text, lineStart(text, start), indent));
  let left = text;
  for (const [index, entry] of [...entries.entries()].reverse()) {
    if (!isGone(entry)) continue;
    const end = from[index + 1] ?? lineEnd(text, lastOffset([entry]));
    left = left.slice(0, from[index]) + left.slice(end);
  }
  return left;
}

/** A text as a YAML scalar in one line: plain where nobody can take it for something else. */
function scalar(value: string): string {
  const plain = /^[A-Za-z/][\w/.,;()*'{}~ -]*$/.test(value) && !value.endsWith(' ');
  return plain && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value) ? value : quoted(value);
}

const EMPTY = quoted('');

/** {@link scalar} within brackets, where commas and braces mean something. */
function flowScalar(value: string): string {
  return /^[A-Za-z][\w.-]*$/.test(value) ? scalar(value) : quoted(value);
}

/** In double quotes, with all escaped that a reader of the file would not see. */
function quoted(value: string): string {
  return JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}

function indented(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => indent + line)
    .join('\n');
}

function entryText(finding: Finding, by: Acceptance): string {
  const { fingerprint, rule, severity, operationId, method, path, pointer, expected, actual, checks = [] } = finding;
  const call = [method, path].filter((part) => part !== null).join(' ');
  const rows: [string, string][] = [
    ['fingerprint', `'${fingerprint}'`],
    ['rule', scalar(rule)],
    ['severity', severity],
    ['operation', scalar(operationId ?? '')],
    ['call', scalar(call)],
    ['pointer', scalar(pointer)],
    ['expected', scalar(expected)],
    ['actual', scalar(actual)],
    ['checks', checks.length === 0 ? EMPTY : `[${checks.map(flowScalar).join(', ')}]`],
    ['reason', scalar(by.reason)],
    ['owner', scalar(by.owner ?? '')],
    ['expires', by.expires],
  ];
  return rows
    .filter(([, value]) => value !== EMPTY)
    .map(([key, value], index) => `${index === 0 ? '- ' : '  '}${key}: ${value}`)
    .join('\n');
}

/** A piece of a text that is replaced. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** A text with pieces of it replaced, none of which overlap; what stands at one place keeps its order. */
function edited(text: string, edits: readonly Edit[]): string {
  let at = 0;
  const parts = edits
    .toSorted((a, b) => a.from - b.from)
    .flatMap((edit) => {
      const before = text.slice(at, edit.from);
      at = edit.to;
      return [before, edit.by];
    });
  return [...parts, text.slice(at)].join('');
}

/** New entries, each before the first one that comes after it. Comments above an entry belong to it. */
function insertions(text: string, entries: readonly YAMLMap[], added: readonly Finding[], by: Acceptance): Edit[] {
  const starts = entries.map((each) => text.lastIndexOf('-', each.range?.[0] ?? 0));
  const keys = entries.map((each) => keyOf(each.toJSON()));
  const indent = ' '.repeat(columnOf(text, starts[0] ?? 0));
  return added.map((finding) => {
    const key = orderOf(finding);
    const start = starts[keys.findIndex((each) => compare(key, each) < 0)];
    // the first entry keeps what stands above the whole list
    const at =
      start === undefined
        ? lineEnd(text, lastOffset(entries))
        : aboveComments(text, lineStart(text, start), indent.length);
    return { from: at, to: at, by: `${indented(entryText(finding, by), indent)}\n` };
  });
}

/** What an entry says anew. */
function renewed({ reason, expires, owner }: Acceptance): [key: string, value: string][] {
  return [
    ['reason', reason],
    ['expires', expires],
    ...(owner === undefined ? [] : [['owner', owner] as [string, string]]),
  ];
}

/** The same entry with another reason and date, replaced where they stand. */
function renewals(text: string, entry: YAMLMap, by: Acceptance): Edit[] {
  const written = entry.flow === true ? flowScalar : scalar;
  return renewed(by).map(([key, words]): Edit => {
    const value = key === 'expires' ? words : written(words);
    const pair = entry.items.find((item) => (item.key as Scalar | null)?.value === key) as
      | Pair<Scalar, Scalar>
      | undefined;
    const [from, to] = pair?.value?.range ?? [];
    if (from !== undefined && to !== undefined) {
      const block = pair?.value?.type === 'BLOCK_LITERAL' || pair?.value?.type === 'BLOCK_FOLDED';
      return { from, to, by: block ? `${value}\n` : value };
    }
    const first = entry.items[0]?.key as Scalar;
    const at = first.range?.[0] ?? 0;
    const end = entry.flow === true ? ', ' : `\n${' '.repeat(columnOf(text, at))}`;
    return { from: at, to: at, by: `${key}: ${value}${end}` };
  });
}

/** A list that is empty or written in one line gets new entries, one below the other. */
function extend(document: Document, added: readonly Finding[], by: Acceptance, yaml: typeof import('yaml')): void {
  const old = document.get('accepted', true);
  const list: YAMLSeq = yaml.isSeq(old) ? old : (document.createNode([]) as YAMLSeq);
  const entries = added.map((finding) => entryText(finding, by)).join('\n');
  list.items.push(...(yaml.parseDocument(entries).contents as YAMLSeq).items);
  list.flow = false;
  list.items.sort((a, b) => compare(keyOf((a as YAMLMap).toJSON()), keyOf((b as YAMLMap).toJSON())));
  document.set('accepted', list);
}

function orderOf({ operationId, rule, pointer, fingerprint }: Finding): string {
  return keyOf({ operation: operationId, rule, pointer, fingerprint });
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', Math.max(0, offset - 1));
  return end < 0 ? text.length : end + 1;
}

function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** Start of the comment lines right above a line that are indented like it. */
function aboveComments(text: string, start: number, indent: number): number {
  let at = start;
  while (at > 0) {
    const above = lineStart(text, at - 1);
    const line = text.slice(above, at - 1);
    if (!line.trimStart().startsWith('#') || line.length - line.trimStart().length !== indent) break;
    at = above;
  }
  return at;
}

/** Offset behind the last value of the list, comments after it not counted. */
function lastOffset(entries: readonly YAMLMap[]): number {
  const last = entries.at(-1)?.items.at(-1)?.value as { range?: readonly number[] } | null | undefined;
  return last?.range?.[1] ?? entries.at(-1)?.range?.[1] ?? 0;
}
