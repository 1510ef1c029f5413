import type { Contract, Media, Operation, Parameter } from '../contract/contract.ts';
import { covers } from '../contract/media-ranges.ts';
import type { Observed, OutsideRule } from '../judge/rule.ts';
import { requestChanged, requestNarrowed, requestWidened } from '../judge/rules/comparisons.ts';
import { isJsonType, mediaType } from '../model/media.ts';
import { createCompare, type Difference } from '../schema/compare.ts';
import { isObject, listOf, objectOf } from '../schema/json.ts';
import { sideOf } from '../schema/side.ts';
import { joinPointer } from '../text/pointer.ts';
import { sortedText } from '../text/sorted-text.ts';

/** Compares the requests of an operation in two documents: what was accepted must still be accepted. */
export type CompareRequests = (known: Operation, now: Operation) => Observed[];

interface Change extends Pick<Difference, 'relation' | 'expected' | 'actual'> {
  /** Pointer into the request: `/query/NAME`, `/body/MEMBER` or `/security`. */
  readonly pointer: string;
  readonly source: string;
}

const RULES: Readonly<Record<Change['relation'], OutsideRule>> = {
  narrower: requestNarrowed,
  both: requestNarrowed,
  wider: requestWidened,
  unknown: requestChanged,
};

export function createCompareRequests(before: Contract, after: Contract): CompareRequests {
  const compare = createCompare(sideOf(before.document, 'request'), sideOf(after.document, 'request'));
  return (known, now) => {
    const changes = [...parameters(known, now), ...bodies(known, now), ...security(known, now)];
    const { operationId } = known;
    return changes.map(({ relation, ...change }) => {
      return { rule: RULES[relation], observation: { ...change, operationId, exchanges: [] } };
    });
  };

  function* parameters(known: Operation, now: Operation): Iterable<Change> {
    const [was, is] = [parametersOf(known), parametersOf(now)];
    for (const [key, one] of was) {
      const other = is.get(key);
      const place = { pointer: joinPointer('', one.in, one.name), source: one.pointer };
      const expected = textOf(one);
      if (other === undefined) {
        yield { ...place, relation: 'narrower', expected, actual: 'no such parameter' };
        continue;
      }
      if (one.required !== other.required)
        yield { ...place, relation: relationOf(other), expected, actual: textOf(other) };
      const [style, another] = [styleText(one), styleText(other)];
      if (style !== another) yield { ...place, relation: 'both', expected: style, actual: another };
      yield* schemas(place, one.schemaAt, other.schemaAt, one.style.name !== 'json');
    }
    for (const [key, one] of is) {
      if (was.has(key)) continue;
      const place = { pointer: joinPointer('', one.in, one.name), source: known.pointer };
      yield { ...place, relation: relationOf(one), expected: 'no such parameter', actual: textOf(one) };
    }
  }

  function* bodies({ requestBody: was, pointer }: Operation, { requestBody: is }: Operation): Iterable<Change> {
    const place = { pointer: '/body', source: was?.pointer ?? pointer };
    const [expected, actual] = [textOf(was), textOf(is)];
    if (expected !== actual) yield { ...place, relation: is === null ? 'narrower' : relationOf(is), expected, actual };
    if (was === null || is === null) return;
    const types = { ...place, expected: typesOf(was.content), actual: typesOf(is.content) };
    if (was.content.some((media) => !mediaFor(media, is.content))) yield { ...types, relation: 'narrower' };
    if (is.content.some((media) => !mediaFor(media, was.content))) yield { ...types, relation: 'wider' };
    for (const media of was.content) {
      const other = mediaFor(media, is.content);
      if (other === undefined) continue;
      const at = { pointer: '/body', source: media.pointer };
      const inside = (one: Media, word: string): string => joinPointer(one.pointer, word);
      const encodings = [before.at(inside(media, 'encoding')), after.at(inside(other, 'encoding'))];
      const [encoding, another] = encodings.map((one) => sortedText(one ?? {}));
      if (encoding !== another) yield { ...at, relation: 'unknown', expected: 'encoding', actual: 'another encoding' };
      const isText = !isJsonType(mediaType(media.key));
      yield* schemas(at, inside(media, 'schema'), inside(other, 'schema'), isText);
    }
  }

  function* security(known: Operation, now: Operation): Iterable<Change> {
    const [was, is] = [requirementsOf(before, known), requirementsOf(after, now)];
    const isMet = ({ needs }: Requirement, all: readonly Requirement[]): boolean =>
      all.some((other) => other.needs.isSubsetOf(needs));
    const isLost = was.some((one) => !isMet(one, is));
    if (!isLost && is.every((one) => isMet(one, was))) return;
    const text = (all: readonly Requirement[]): string => all.map((one) => one.text).join(' or ');
    const own = joinPointer(known.pointer, 'security');
    const source = [own, '/security', known.pointer].find((pointer) => before.at(pointer) !== undefined) ?? '';
    const relation = isLost ? 'narrower' : 'wider';
    yield { pointer: '/security', source, relation, expected: text(was), actual: text(is) };
  }

  function* schemas(
    { pointer, source: otherwise }: Pick<Change, 'pointer' | 'source'>,
    was: string,
    is: string,
    asText: boolean,
  ): Iterable<Change> {
    const [from, to] = [before.at(was) === undefined ? [] : [was], after.at(is) === undefined ? [] : [is]];
    for (const { at, relation, isNew, source, expected, actual } of compare(from, to, { asText }).differences) {
      const place = { pointer: `${pointer}${at}`, source: source || otherwise };
      yield { ...place, relation: isNew ? 'wider' : relation, expected, actual };
    }
  }
}

/** The relation if something was optional or absent before, or the reverse. */
function relationOf({ required }: Required): 'narrower' | 'wider' {
  return required ? 'narrower' : 'wider';
}

interface Required {
  readonly required: boolean;
}

function textOf(part: Required | null): string {
  if (part === null) return 'no body';
  return part.required ? 'required' : 'optional';
}

function styleText({ style: { name, explode } }: Parameter): string {
  return `style ${name}${explode ? ', exploded' : ''}`;
}

function typesOf(content: readonly Media[]): string {
  return content.map(({ key }) => key).join(' or ');
}

function mediaFor({ key }: Media, content: readonly Media[]): Media | undefined {
  return content.find((other) => covers(mediaType(other.key), mediaType(key)));
}

/** Header fields that OpenAPI describes elsewhere (OpenAPI 3.1, Parameter Object). */
const NOT_PARAMETERS: ReadonlySet<string> = new Set(['header accept', 'header content-type', 'header authorization']);

/** Parameters of a path are identified by their position, and header names ignore case. */
function parametersOf({ path, parameters }: Operation): Map<string, Parameter> {
  const inPath = [...(path ?? '').matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
  const keyed = parameters.map((one): [string, Parameter] => {
    const name = one.in === 'path' ? inPath.indexOf(one.name) : one.in === 'header' ? one.name.toLowerCase() : one.name;
    return [`${one.in} ${name}`, one];
  });
  return new Map(keyed.filter(([key]) => !NOT_PARAMETERS.has(key)));
}

interface Requirement {
  readonly text: string;
  /** Schemes and scopes, apart from their names in the document. */
  readonly needs: ReadonlySet<string>;
}

function requirementsOf(contract: Contract, { pointer }: Operation): Requirement[] {
  const stated = listOf(contract.at(joinPointer(pointer, 'security')) ?? contract.at('/security'));
  return (stated.length > 0 ? stated : [{}]).map((one) => {
    const schemes = Object.entries(objectOf(one));
    const needs = schemes.flatMap(([name, scopes]) => {
      const scheme = contract.at(joinPointer('', 'components', 'securitySchemes', name));
      const { type, scheme: own, in: place, name: key, openIdConnectUrl } = isObject(scheme) ? scheme : { type: name };
      const identity = sortedText([type, own, place, key, openIdConnectUrl]);
      return [identity, ...listOf(scopes).map((scope) => `${identity} ${String(scope)}`)];
    });
    return { text: schemes.map(([name]) => name).join(' and ') || 'no credentials', needs: new Set(needs) };
  });
}
