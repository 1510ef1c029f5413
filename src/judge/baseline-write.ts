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
  const yaml = await import('yaml');
  let current = text === null || text.trim() === '' ? HEAD : text.endsWith('\n') ? text : `${text}\n`;
  for (const finding of [...findings].sort((a, b) => compare(orderOf(a), orderOf(b)))) {
    if (current === HEAD) {
      current = `${HEAD}${indented(entryText(finding, by), '  ')}\n`;
      continue;
    }
    const document = yaml.parseDocument(current, { uniqueKeys: false });
    const list = document.get('accepted', true) as YAMLSeq | undefined;
    const entries = yaml.isSeq(list) ? (list.items as YAMLMap[]) : [];
    const known = entries.find((entry) => entry.get('fingerprint') === finding.fingerprint);
    const inLines = entries.length > 0 && list?.flow !== true;
    if (known === undefined) {
      const entry = entryText(finding, by);
      current = inLines ? inserted(current, entries, entry, orderOf(finding)) : extended(document, entry, yaml);
    } else if (inLines && known.flow !== true) current = refreshed(current, known, by);
    else {
      known.set('reason', by.reason);
      known.set('expires', by.expires);
      if (by.owner !== undefined) known.set('owner', by.owner);
      current = document.toString({ lineWidth: 0 });
    }
  }
  return current;
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

/** A new entry before the first one that comes after it. Comments above an entry belong to it. */
function inserted(text: string, entries: readonly YAMLMap[], entry: string, key: string): string {
  const starts = entries.map((each) => text.lastIndexOf('-', each.range?.[0] ?? 0));
  const indent = ' '.repeat(columnOf(text, starts[0] ?? 0));
  const block = indented(entry, indent);
  const next = entries.findIndex((each) => compare(key, keyOf(each.toJSON())) < 0);
  const start = starts[next];
  if (start !== undefined) {
    const at = aboveComments(text, lineStart(text, start), indent.length);
    // the first entry keeps what stands above the whole list
    return `${text.slice(0, at)}${block}\n${text.slice(at)}`;
  }
  const end = lineEnd(text, lastOffset(entries));
  return `${text.slice(0, end)}${text.slice(0, end).endsWith('\n') ? '' : '\n'}${block}\n${text.slice(end)}`;
}

/** The same entry with another reason and date, replaced where they stand. */
function refreshed(text: string, entry: YAMLMap, by: Acceptance): string {
  const values: [string, string][] = [
    ['reason', scalar(by.reason)],
    ['expires', by.expires],
    ...(by.owner === undefined ? [] : [['owner', scalar(by.owner)] as [string, string]]),
  ];
  const edits: { from: number; to: number; by: string }[] = [];
  for (const [key, value] of values) {
    const pair = entry.items.find((item) => (item.key as Scalar | null)?.value === key) as
      | Pair<Scalar, Scalar>
      | undefined;
    const [from, to] = pair?.value?.range ?? [];
    if (from !== undefined && to !== undefined) {
      const block = pair?.value?.type === 'BLOCK_LITERAL' || pair?.value?.type === 'BLOCK_FOLDED';
      edits.push({ from, to, by: block ? `${value}\n` : value });
    } else {
      const first = entry.items[0]?.key as Scalar;
      const at = first.range?.[0] ?? 0;
      edits.push({ from: at, to: at, by: `${key}: ${value}\n${' '.repeat(columnOf(text, at))}` });
    }
  }
  return edits
    .sort((a, b) => b.from - a.from)
    .reduce((all, { from, to, by: value }) => all.slice(0, from) + value + all.slice(to), text);
}

/** A file whose list is empty or written in one line gets it anew, one entry below the other. */
function extended(document: Document, entry: string, yaml: typeof import('yaml')): string {
  const old = document.get('accepted', true);
  const list: YAMLSeq = yaml.isSeq(old) ? old : (document.createNode([]) as YAMLSeq);
  const [added] = (yaml.parseDocument(entry).contents as YAMLSeq).items;
  list.items.push(added);
  list.flow = false;
  list.items.sort((a, b) => compare(keyOf((a as YAMLMap).toJSON()), keyOf((b as YAMLMap).toJSON())));
  document.set('accepted', list);
  return document.toString({ lineWidth: 0 });
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
