import type { FieldCoverage, OperationCoverage, Report } from '../../model/report.ts';
import { PROVENANCES } from '../../schema/schema-document.ts';
import { count, firstFew } from '../../text/words.ts';
import { type Block, type BlockGroup, list, type Section, table, text } from '../blocks.ts';
import { ITEMS_NOT_CHECKED } from '../coverage.ts';
import { operationParts, whyNotAnswered, whyNotCalled } from '../words/reasons.ts';

const MOST_ROWS = 8;
const MOST_STATEMENTS = 3;
const MOST_EMPTY = 3;

const isSeen = ({ seen }: FieldCoverage): boolean => seen > 0;

/** What the share in the verdict leaves out. */
export function coverageInWords({ coverage, history }: Report): string {
  const { operations, statements } = coverage;
  if (operations.length === 0) return '';
  const { located } = operationParts(operations);
  const checked = statements && `${statements.checked} of ${count(statements.of, 'documented statement')} checked`;
  const words = [...(checked ? [checked] : []), ...fieldsInWords(located), ...emptyInWords(located)];
  const first = history?.runs[0]?.startedAt;
  const never = [...Map.groupBy(statements?.never ?? [], ({ reason }) => reason)].map(
    ([reason, own]) => `${firstFew([...new Set(own.map(({ id, about = id }) => about))], MOST_STATEMENTS)} (${reason})`,
  );
  if (never.length === 0) return words.join(', ');
  return `${words.join(', ')}; never checked${first ? ` since ${first.slice(0, 10)}` : ''}: ${never.join(', ')}`;
}

/** Documented objects that were always empty. */
function emptyInWords(operations: readonly OperationCoverage[]): string[] {
  const empty = operations.flatMap(({ operationId, fields }) => {
    const expected = aroundEach(fields.filter(({ of }) => of > 0));
    const filled = aroundEach(fields.filter(isSeen));
    const isEmpty = ({ pointer, provenance, seen }: FieldCoverage): boolean =>
      provenance === 'documented' && seen > 0 && expected.has(pointer) && !filled.has(pointer);
    return fields.filter(isEmpty).map(({ pointer }) => `${pointer} in ${operationId}`);
  });
  return empty.length === 0 ? [] : [`empty: ${firstFew(empty, MOST_EMPTY)}`];
}

/** The pointers of everything around the given fields. */
function aroundEach(fields: readonly FieldCoverage[]): ReadonlySet<string> {
  return new Set(
    fields.flatMap(({ pointer }) => [...pointer.matchAll(/\//g)].map(({ index }) => pointer.slice(0, index))),
  );
}

function fieldsInWords(operations: readonly OperationCoverage[]): string[] {
  const fields = operations.flatMap((operation) => operation.fields);
  return PROVENANCES.filter((each) => each !== 'documented').flatMap((provenance) => {
    const own = fields.filter((field) => field.provenance === provenance);
    return own.length === 0 ? [] : [`${own.filter(isSeen).length} of ${count(own.length, `${provenance} field`)} seen`];
  });
}

export function coverageSection({ coverage: { operations }, checks }: Report): Section {
  const { located, answered, unanswered, idle, notLocated } = operationParts(operations);
  const by = PROVENANCES.filter((each) => each !== 'documented').flatMap((each) => {
    const own = located.filter((operation) => operation.located === each).length;
    return own === 0 ? [] : [`${own} ${each}`];
  });
  const unknown = answered.filter(({ fields }) => fields.length === 0);
  const places = by.length === 0 ? '' : ` (${by.join(', ')})`;
  const blocks = [
    text(`${located.length} of ${count(operations.length, 'operation')} located${places}.`),
    ...list([
      ...named('Called, but no field of the answer is known', new Map([['', unknown]])),
      ...named(
        'Items not checked, their place in the answer is unknown',
        new Map([['', answered.filter(hasLostItems)]]),
      ),
      ...named('Called without a good answer', whyNotAnswered(unanswered, checks)),
      // if no operation answered, the head of the report gives the reason
      ...(answered.length === 0 ? [] : named('Not called', whyNotCalled(idle, checks))),
      ...named('Not located (the reference gives only the name)', new Map([['', notLocated]])),
    ]),
    ...unseen(answered),
    ...answered.map(fieldsOf),
  ];
  return {
    id: 'coverage',
    title: 'Coverage',
    blocks: operations.length === 0 ? [] : blocks,
  };
}

const hasLostItems = ({ notShown }: OperationCoverage): boolean => notShown.includes(ITEMS_NOT_CHECKED);

function unseen(answered: readonly OperationCoverage[]): Block[] {
  const missing = ({ fields }: OperationCoverage): string =>
    fields
      .filter((field) => !isSeen(field))
      .map(({ pointer }) => pointer)
      .join(' ');
  const rows = [...Map.groupBy(answered, missing)]
    .filter(([pointers]) => pointers !== '')
    .map(([pointers, own]) => `${namesOf(own)}: ${pointers}`);
  const left = rows.length - MOST_ROWS;
  const shown = left > 1 ? [...rows.slice(0, MOST_ROWS), `and ${left} more in the JSON report`] : rows;
  return rows.length === 0 ? [] : [text('Never seen:'), ...list(shown)];
}

function named(what: string, groups: ReadonlyMap<string, readonly OperationCoverage[]>): string[] {
  return [...groups].flatMap(([why, own]) =>
    own.length === 0 ? [] : [`${what}${why === '' ? '' : `, ${why}`} (${own.length}): ${namesOf(own)}`],
  );
}

function namesOf(operations: readonly OperationCoverage[]): string {
  return operations.map(({ operationId }) => operationId).join(', ');
}

function fieldsOf({ operationId, located, fields, notShown }: OperationCoverage): BlockGroup {
  const missing = notShown.length === 0 ? [] : [text(`Not shown by the reference: ${notShown.join(', ')}`)];
  return {
    kind: 'group',
    title: [{ code: operationId }, '  ', { share: fields.filter(isSeen).length, of: fields.length }],
    open: false,
    pageOnly: true,
    blocks: [
      text(`The path is ${located}.`),
      ...table(
        ['Field', 'Provenance', 'Seen'],
        fields.map(({ pointer, provenance, seen, of }) => [{ code: pointer }, provenance, { share: seen, of }]),
      ),
      ...missing,
    ],
  };
}
