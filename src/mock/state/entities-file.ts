import type { EntitiesFile, FieldForm } from '../../../generated/mock/entities.ts';
import { readChecked } from '../../contract/checked-file.ts';
import type { Contract } from '../../contract/contract.ts';
import { ToolError } from '../../errors.ts';
import { PART } from '../../files/read.ts';
import { didYouMean } from '../../text/suggest.ts';
import { idOf, kindOf, VERBS } from './entities.ts';
import { guardName } from './hooks.ts';
import { unknownWord } from './values.ts';

export interface Defect {
  readonly pointer: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/**
 * Reads `mocks/entities.yaml` and returns all its faults.
 * @param hooks export names of `mocks/hooks`; null skips the check of hooks
 * @throws ToolError `spec-invalid` with file, line and column; `file-missing`, `file-unreadable`.
 */
export async function readEntities(
  path: string,
  contract: Contract,
  hooks: readonly string[] | null,
): Promise<{ readonly file: EntitiesFile; readonly faults: readonly ToolError[] }> {
  const { value: file, placeOf } = await readChecked<EntitiesFile>(path, 'entities', PART);
  const faults = [...faultsOf(file, contract, hooks)].map(
    async ({ pointer, message, hint }) =>
      new ToolError('spec-invalid', message, { place: await placeOf(pointer), hint }),
  );
  return { file, faults: await Promise.all(faults) };
}

/** Checks beyond the schema: every name must refer to something that exists. */
function* faultsOf(file: EntitiesFile, contract: Contract, hooks: readonly string[] | null): Generator<Defect> {
  const kinds = Object.keys(file.kinds);
  const refusals = Object.keys(file.refusals ?? {});
  for (const [name, kind] of Object.entries(file.kinds)) {
    const at = `/kinds/${name}`;
    const fields = [idOf(kind), ...Object.keys(kind.fields)];
    yield* formFaults(kind.id, fields, hooks, `${at}/id`);
    yield* formFaults(kind.fields, fields, hooks, `${at}/fields`, kinds);
    yield* formFaults(kind.generated ?? {}, fields, hooks, `${at}/generated`, kinds);
    for (const field of Object.keys(kind.generated ?? {}))
      yield* unknown('field', field, fields, `${at}/generated/${field}`);
    yield* formFaults(kind.shown ?? {}, fields, hooks, `${at}/shown`);
    for (const word of ['needs', 'hidden', 'together'] as const)
      for (const [index, field] of (kind[word] ?? []).entries())
        yield* unknown('field', field, fields, `${at}/${word}/${index}`);
    for (const [field, forms] of Object.entries(kind.becomes?.then ?? {})) {
      const named = kind.fields[field];
      const of = typeof named === 'object' ? named?.of : undefined;
      const its = file.kinds[of ?? ''];
      if (!its) yield { pointer: `${at}/becomes/then/${field}`, message: `The field ${field} names no record.` };
      else
        for (const to of Object.keys(forms))
          yield* unknown('field', to, Object.keys(its.fields), `${at}/becomes/then/${field}/${to}`);
      yield* formFaults(forms, fields, hooks, `${at}/becomes/then/${field}`);
    }
    for (const field of Object.keys(kind.final ?? {})) yield* unknown('field', field, fields, `${at}/final/${field}`);
  }
  for (const [name, { refuses }] of Object.entries(file.conditions ?? {}))
    if (refuses !== undefined) yield* unknown('refusal', refuses, refusals, `/conditions/${name}/refuses`);
  const operations = contract.operations.map(({ operationId }) => operationId);
  const isChanged = contract.notices.some(({ code }) => code === 'overlay-changes-documented');
  for (const [operationId, form] of Object.entries(file.operations ?? {})) {
    const at = `/operations/${operationId}`;
    // an overlay may have removed or renamed the operation
    if (!isChanged) yield* unknown('operation', operationId, operations, at);
    const verbs = VERBS.filter((verb) => form[verb] !== undefined);
    if (verbs.length !== 1) yield { pointer: at, message: 'It needs one verb.', hint: `One of ${VERBS.join(', ')}.` };
    const kind = kindOf(form);
    if (kind !== undefined) yield* unknown('kind', kind, kinds, `${at}/${verbs[0]}`);
    const its = file.kinds[kind ?? ''];
    const fields = its ? [idOf(its), ...Object.keys(its.fields)] : [];
    for (const part of ['to', 'else', 'answers'] as const)
      yield* formFaults(form[part] ?? {}, fields, hooks, `${at}/${part}`);
    for (const field of [
      ...Object.keys(form.to ?? {}),
      ...Object.keys(form.else ?? {}),
      ...Object.keys(form.adds ?? {}),
    ])
      yield* unknown('field', field, fields, at);
    for (const rule of [form.guard ?? []].flat()) yield* unknown('hook', guardName(rule), hooks, `${at}/guard`);
    if (form.rows !== undefined) yield* unknown('hook', form.rows, hooks, `${at}/rows`);
    if (form.refuses !== undefined) yield* unknown('refusal', form.refuses, refusals, `${at}/refuses`);
  }
}

function* formFaults(
  forms: Readonly<Record<string, FieldForm>>,
  fields: readonly string[],
  hooks: readonly string[] | null,
  at: string,
  kinds: readonly string[] = [],
): Generator<Defect> {
  for (const [name, form] of Object.entries(forms)) {
    const pointer = `${at}/${name}`;
    if (typeof form === 'string') yield* wordFaults(form, fields, pointer);
    if (typeof form !== 'object' || form === null) continue;
    if (form.of !== undefined) yield* unknown('kind', form.of, kinds, `${pointer}/of`);
    if (form.by !== undefined) yield* unknown('field', form.by, fields, `${pointer}/by`);
    if (form.hook !== undefined) yield* unknown('hook', form.hook, hooks, `${pointer}/hook`);
    if (form.guard !== undefined) yield* unknown('hook', guardName(form.guard), hooks, `${pointer}/guard`);
    if (form.from !== undefined) yield* wordFaults(form.from, fields, `${pointer}/from`);
    if (form.has) yield* formFaults(form.has, fields, hooks, `${pointer}/has`, kinds);
  }
}

function* wordFaults(text: string, fields: readonly string[], pointer: string): Generator<Defect> {
  const word = unknownWord(text, fields);
  const hint =
    'Known: hex N, HEX N, digits N, number A B, now, now + 2d, FIELD + 2d, past 90d, date, month A B, by schema, of path, profile.NAME, and the fields. Another is a hook.';
  if (word !== undefined) yield { pointer, message: `There is no word {${word}}.`, hint };
}

function* unknown(what: string, name: string, known: readonly string[] | null, pointer: string): Generator<Defect> {
  if (known === null || known.includes(name)) return;
  const hint = didYouMean(name, known).trim() || (known.length > 0 ? `Known: ${known.join(', ')}.` : undefined);
  yield { pointer, message: `There is no ${what} ${name}.`, hint };
}
