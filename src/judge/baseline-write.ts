import type { Document, Scalar, ScalarTag, YAMLMap, YAMLSeq } from 'yaml';
import type { Finding } from '../model/finding.ts';
import { compare } from '../text/words.ts';

export interface Acceptance {
  readonly reason: string;
  /** `YYYY-MM-DD`. */
  readonly expires: string;
  /** Undefined keeps the owner of an existing entry. */
  readonly owner?: string | undefined;
}

const HEAD = `# yaml-language-server: $schema=https://unpkg.com/banking-api-contract/schemas/baseline.schema.json
# Findings that are accepted until a date. "banking-api accept" adds to it; edit it as you like: comments and notes are kept.
baselineVersion: 1
accepted: []
`;

/** Characters that a reader of the file cannot see, except line ends. */
const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/gu;

/** Keeps comments and notes. `text` is a valid baseline, or null if there is no baseline yet. */
export async function acceptInto(text: string | null, findings: readonly Finding[], by: Acceptance): Promise<string> {
  const { document, list, write } = await opened(text === null || text.trim() === '' ? HEAD : text);
  const entries = new Map(list.items.map((entry) => [entry.get('fingerprint'), entry]));
  const keys = list.items.map((entry) => keyOf(entry.toJSON()));
  for (const finding of new Map(findings.map((each) => [each.fingerprint, each])).values()) {
    const known = entries.get(finding.fingerprint);
    if (known !== undefined) renew(known, finding, by, document);
    else {
      const entry = entryOf(document, finding, by);
      const key = keyOf(entry.toJSON());
      const found = keys.findIndex((each) => compare(key, each) < 0);
      const at = found < 0 ? keys.length : found;
      keys.splice(at, 0, key);
      list.items.splice(at, 0, entry);
    }
  }
  return write();
}

export async function pruneFrom(text: string, fingerprints: ReadonlySet<string>): Promise<string> {
  const { list, write } = await opened(text);
  list.items = list.items.filter((entry) => !fingerprints.has(String(entry.get('fingerprint'))));
  return write();
}

async function opened(text: string) {
  const { isSeq, parseDocument } = await import('yaml');
  const document: Document = parseDocument(text, { uniqueKeys: false, customTags: (tags) => tags.map(visible) });
  if (!isSeq(document.get('accepted'))) document.set('accepted', document.createNode([]));
  const list = document.get('accepted') as YAMLSeq<YAMLMap>;
  const [first] = list.items;
  // the comment above the first entry belongs to it, not to the list
  if (first !== undefined && list.commentBefore) {
    first.commentBefore = list.commentBefore;
    list.commentBefore = null;
  }
  const write = (): string => {
    list.flow = list.items.length === 0;
    return document.toString({ lineWidth: 0 });
  };
  return { document, list, write };
}

/** The tag of strings, changed to escape invisible characters. Other tags do not change. */
function visible<Tag>(tag: Tag): Tag {
  const { tag: name, stringify } = tag as ScalarTag;
  if (name !== 'tag:yaml.org,2002:str' || stringify === undefined) return tag;
  const escaping: ScalarTag['stringify'] = (item, ...rest) => {
    if (String(item.value).search(HIDDEN) < 0) return stringify(item, ...rest);
    return stringify({ ...item, type: 'QUOTE_DOUBLE' } as typeof item, ...rest).replace(HIDDEN, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16);
      return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
    });
  };
  return { ...tag, stringify: escaping };
}

/** Sorts by place and rule, not by time. Two people who accept the same findings get the same file. */
function keyOf({
  operation,
  rule,
  pointer,
  fingerprint,
}: Record<'operation' | 'rule' | 'pointer' | 'fingerprint', unknown>): string {
  // an entry without an operation sorts last
  return JSON.stringify([operation ?? '\uffff', rule ?? '', pointer ?? '', fingerprint]);
}

function entryOf(document: Document, finding: Finding, by: Acceptance): YAMLMap {
  const { fingerprint, rule, severity, operationId, method, path, pointer, expected, actual, checks = [] } = finding;
  const rows = {
    // digits without quotes would be a number
    fingerprint: Object.assign(document.createNode(fingerprint), { type: 'QUOTE_SINGLE' }),
    rule,
    severity,
    operation: operationId ?? '',
    call: [method, path].filter((part) => part !== null).join(' '),
    pointer,
    expected,
    actual,
    ...(checks.length > 0 && { checks: document.createNode(checks, { flow: true }) }),
    ...(finding.parts && { parts: partsOf(document, finding) }),
    reason: by.reason,
    owner: by.owner ?? '',
    expires: by.expires,
  };
  return document.createNode(Object.fromEntries(Object.entries(rows).filter(([, value]) => value !== ''))) as YAMLMap;
}

function partsOf(document: Document, { parts = [] }: Finding): YAMLMap[] {
  return parts.map(({ operationId, pointer, fingerprint }) => {
    const quoted = Object.assign(document.createNode(fingerprint), { type: 'QUOTE_SINGLE' });
    return document.createNode({ operation: operationId, pointer, fingerprint: quoted }, { flow: true }) as YAMLMap;
  });
}

/** Keeps the places that were accepted before: they may only be silent in this run. */
function renew(entry: YAMLMap, finding: Finding, by: Acceptance, document: Document): void {
  const { reason, expires, owner } = by;
  if (finding.parts !== undefined) {
    const before = (entry.get('parts') as YAMLSeq<YAMLMap> | undefined)?.items ?? [];
    const names = before.map((part) => part.get('fingerprint'));
    const fresh = partsOf(document, finding).filter((part) => !names.includes(part.get('fingerprint')));
    entry.set('parts', document.createNode([...before, ...fresh]));
  }
  for (const [key, value] of Object.entries({ reason, expires, ...(owner !== undefined && { owner }) })) {
    entry.set(key, value);
    // does not keep the style of the old value, for example folded lines
    delete (entry.get(key, true) as Scalar | undefined)?.type;
  }
}
