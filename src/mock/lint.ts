import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readChecked } from '../contract/checked-file.ts';
import type { Contract } from '../contract/contract.ts';
import type { ContractFile } from '../contract/contract-file.ts';
import { PARTS } from '../contract/contract-file.ts';
import type { ContractFolder } from '../contract/folder.ts';
import type { LintProblem } from '../contract/lint/lint.ts';
import { shownPath } from '../contract/source.ts';
import { ToolError } from '../errors.ts';
import { PART, yamlFiles } from '../files/read.ts';
import { joinPointer } from '../text/pointer.ts';
import { didYouMean } from '../text/suggest.ts';
import { readScenario } from './scenarios/catalogue.ts';
import { compileEntities } from './state/compile-entities.ts';
import { readEntities } from './state/entities-file.ts';
import { defaultsOf, readDefaultProfile, readProfile } from './tenant/profile.ts';
import { hookFiles, hooksOf } from './tenant/read-hooks.ts';
import { readSeed, SEED_MODULE } from './tenant/read-seed.ts';

/**
 * Checks a contract folder besides its document: `contract.yaml` and the rest of `mocks/`. Runs code from the package's
 * own folder only.
 * @param contract including the mock's assumptions
 */
export async function lintFolder(contract: Contract): Promise<LintProblem[]> {
  const { folder } = contract;
  const problems: LintProblem[] = [];
  const add = (rule: string, error: unknown, file: string): void => {
    if (!(error instanceof ToolError)) throw error;
    if (error.code !== 'file-missing') problems.push(problemOf(rule, error, file, folder));
  };
  const held = <T>(rule: string, file: string, read: Promise<T>): Promise<T | undefined> =>
    read.catch((error: unknown) => {
      add(rule, error, file);
      return undefined;
    });

  for await (const problem of contractFaults(contract)) add('contract-invalid', problem, folder.dir);
  const remark = (rule: string, message: string, file: string): void => {
    const place = { file: shownPath(file, folder), line: 1, column: 1 };
    problems.push({ rule, severity: 'info', message, pointer: null, place });
  };
  const hooks = folder.confined ? null : Object.keys(await hooksOf(folder));
  if (hooks === null && (await hookFiles(folder.hooks)).length > 0)
    remark(
      'hooks-unchecked',
      'The hooks are code, which lint does not run: it does not check their names.',
      folder.hooks,
    );
  const read = await held('entities-invalid', folder.entities, readEntities(folder.entities, contract, hooks));
  for (const fault of read?.faults ?? []) add('entities-invalid', fault, folder.entities);

  const usual = defaultsOf(contract);
  const file = join(folder.profiles, 'default.yaml');
  const profile = (await held('profile-invalid', file, readDefaultProfile(folder, usual))) ?? usual;
  for (const each of (await yamlFiles(folder.profiles)).values())
    await held('profile-invalid', each, readProfile(each, profile, folder, read?.file.words));
  const nameable = { operations: contract.operations, refusals: read?.file.refusals };
  for (const each of (await yamlFiles(folder.scenarios)).values())
    await held('scenario-invalid', each, readScenario(each, nameable));
  if (folder.confined && SEED_MODULE.test(folder.seed))
    remark('seed-unchecked', 'The seed is a module, which lint does not run.', folder.seed);
  else if (read?.faults.length === 0) {
    const entities = compileEntities(read.file, contract);
    for (const each of [folder.seed, ...(await yamlFiles(folder.seeds)).values()])
      await held('seed-invalid', each, readSeed(each, entities, folder));
  }
  return problems;
}

/** Checks `contract.yaml` beyond its schema: every name must refer to something that exists. */
async function* contractFaults({ folder, operations }: Contract): AsyncIterable<ToolError> {
  const { value, placeOf } = await readChecked<ContractFile>(join(folder.dir, 'contract.yaml'), 'contract', PART);
  const fault = async (pointer: string, message: string, hint?: string): Promise<ToolError> =>
    new ToolError('spec-invalid', message, { place: await placeOf(pointer), hint: hint?.trim() || undefined });
  for (const [part, usual] of Object.entries(PARTS)) {
    const path = value[part as keyof typeof PARTS] ?? usual;
    const isThere = await stat(join(folder.dir, path)).then(
      () => true,
      () => false,
    );
    if (path !== usual && !isThere) yield fault(`/${part}`, `There is no ${path} here.`);
  }
  const parameters = [...new Set(operations.flatMap(({ parameters }) => parameters.map(({ name }) => name)))];
  for (const [group, { of }] of Object.entries(folder.facts)) {
    if (parameters.includes(of)) continue;
    yield fault(joinPointer('/facts', group, 'of'), `No operation has a parameter ${of}.`, didYouMean(of, parameters));
  }
}

function problemOf(
  rule: string,
  { message, hint, place }: ToolError,
  file: string,
  folder: ContractFolder,
): LintProblem {
  const { pointer: _, ...position } = place ?? { file };
  return {
    rule,
    severity: 'error',
    message: hint === undefined ? message : `${message} ${hint}`,
    pointer: null,
    place: { ...position, file: shownPath(position.file, folder) },
  };
}
