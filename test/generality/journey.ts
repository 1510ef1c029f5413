import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Io } from '../../src/cli/command.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { Report } from '../../src/model/report.ts';
import { listening } from './command.ts';
import { type Change, startStandIn } from './stand-in.ts';

/** A contract folder, under its own names or under others. What a test says, it says in the original ones. */
export interface Named {
  readonly folder: string;
  /** A folder for what a run writes; it is there. */
  readonly work: string;
  name(name: string): string;
  /** JSON data under the names of the folder. */
  data(value: unknown): unknown;
  /** A text of a run, under the original names. */
  back(text: string): string;
}

/** A folder as it is. */
export function asIs(folder: string, work: string): Named {
  return { folder, work, name: (name) => name, data: (value) => value, back: (text) => text };
}

/** A request of a talk with the mock, in the original names. */
export interface Step {
  readonly operation: string;
  readonly body?: unknown;
  readonly query?: string;
  /** Path parameters that are not those of the roles; `last` is a member of the answer before. */
  readonly parameters?: Readonly<Record<string, string | { readonly last: string }>>;
}

const CREDENTIALS = { username: 'sandbox', password: 'sandbox-secret' };
export const ENV: Io['env'] = {
  BANKING_API_USERNAME: CREDENTIALS.username,
  BANKING_API_PASSWORD: CREDENTIALS.password,
};

/** The contract of a folder, with what its mock assumes. */
export async function contractOf({ folder }: Named): Promise<Contract> {
  return loadContract({
    root: join(folder, 'spec/openapi.yaml'),
    overlays: [join(folder, 'mocks/assumptions.overlay.yaml')],
  });
}

/** Path parameters, and whatever else a call is addressed by, that find a record of the seed. */
type Roles = Readonly<Record<string, string>>;

async function parametersOf({ folder }: Named): Promise<Roles> {
  return parse(await readFile(join(folder, 'mocks/entities.yaml'), 'utf8')).roles.parameters;
}

/** Writes a configuration for runs against the stand-in, and gives its arguments. */
export async function configured(
  named: Named,
  more: Readonly<Record<string, unknown>> = {},
): Promise<readonly string[]> {
  const file = join(named.work, 'banking-api.config.yaml');
  await mkdir(named.work, { recursive: true });
  await writeFile(
    file,
    stringify({
      parameters: await parametersOf(named),
      writesAllowedOn: ['127.0.0.1'],
      limits: { backoff: 0.01 },
      ...more,
    }),
  );
  return ['--contract', named.folder, '--config', file];
}

/** Writes an overlay of a tenant who knows where every operation is, and gives its arguments. */
export async function located(named: Named): Promise<readonly string[]> {
  const file = join(named.work, 'tenant.overlay.yaml');
  const { operations } = await contractOf(named);
  const guessed = operations.filter((operation) => operation.located === 'assumed');
  const actions = guessed.map(({ path, method, operationId }) => ({
    target: '$.paths',
    update: { [path ?? '']: { [(method ?? '').toLowerCase()]: { operationId } } },
  }));
  await writeFile(file, stringify({ overlay: '1.0.0', info: { title: 'Our tenant', version: '1' }, actions }));
  return ['--overlay', file];
}

/** A mock of the folder with a stand-in in front of it. */
export async function sandboxOf(named: Named, changes: readonly Change[] = []) {
  const mock = await listening(['mock', '--contract', named.folder, '--lenient']);
  const standIn = await startStandIn(
    mock.url,
    await contractOf(named),
    changes.map((change) => changeOf(named, change)),
  );
  return {
    url: standIn.url,
    seen: standIn.seen,
    async [Symbol.asyncDispose]() {
      await standIn[Symbol.asyncDispose]();
      await mock[Symbol.asyncDispose]();
    },
  };
}

function changeOf(named: Named, change: Change): Change {
  const dotted = (path: string): string => path.split('.').map(named.name).join('.');
  return {
    ...change,
    operation: named.name(change.operation),
    ...('drop' in change ? { drop: dotted(change.drop) } : {}),
    ...('rename' in change ? { rename: dotted(change.rename), to: named.name(change.to) } : {}),
    ...('retype' in change ? { retype: dotted(change.retype) } : {}),
  };
}

/** A request of a step, under the names of the folder. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

function callOf(
  named: Named,
  contract: Contract,
  roles: Roles,
  step: Step,
  last: Readonly<Record<string, unknown>>,
): Call {
  const operation = contract.operation(named.name(step.operation));
  if (operation?.path == null) throw new Error(`${step.operation} is not located`);
  const own = Object.entries(step.parameters ?? {}).map(([name, value]) => [
    named.name(name),
    typeof value === 'string' ? String(named.data(value)) : String(last[named.name(value.last)]),
  ]);
  const values: Roles = { ...roles, ...Object.fromEntries(own) };
  const headers = operation.parameters
    .filter((one) => one.in === 'header')
    .map(({ name }) => [name, values[name] ?? '']);
  const query = step.query === undefined ? '' : `?${step.query.replace(/^\w+/, named.name)}`;
  return {
    method: operation.method ?? 'GET',
    path: `${operation.path.replace(/\{([^{}]+)\}/g, (_, name: string) => values[name] ?? '')}${query}`,
    headers: {
      ...Object.fromEntries(headers),
      ...(step.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(step.body === undefined ? {} : { body: named.data(step.body) }),
  };
}

/** What a driven program is told to call (`caller.mjs`). */
export async function callsOf(named: Named, steps: readonly Step[]): Promise<unknown> {
  const contract = await contractOf(named);
  const roles = await parametersOf(named);
  const { operationId, clientAuthentication } = contract.token ?? {};
  return {
    token: { path: contract.operation(operationId ?? '')?.path, form: clientAuthentication === 'form' },
    calls: steps.map((step) => callOf(named, contract, roles, step, {})),
  };
}

/** A talk with a mock or a proxy: what each request was answered, as far as it does not lie in names or in chance. */
export async function talk(named: Named, url: string, steps: readonly Step[]): Promise<readonly unknown[]> {
  const contract = await contractOf(named);
  const roles = await parametersOf(named);
  const authorization = `Bearer ${await tokenOf(contract, url)}`;
  const answers: unknown[] = [];
  let last: Readonly<Record<string, unknown>> = {};
  for (const step of steps) {
    const { method, path, headers, body } = callOf(named, contract, roles, step, last);
    const bearer = contract.operation(named.name(step.operation))?.auth === 'bearer';
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(bearer ? { authorization } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const json = text === '' ? null : JSON.parse(text);
    last = json ?? {};
    answers.push({
      operation: step.operation,
      status: answer.status,
      type: answer.headers.get('content-type'),
      provenance: answer.headers.get('x-mock-provenance'),
      body: shapeOf(JSON.parse(named.back(JSON.stringify(json)))),
    });
  }
  return answers;
}

async function tokenOf(contract: Contract, url: string): Promise<string> {
  const { token } = contract;
  if (token === null) throw new Error('nothing issues tokens');
  const form = new URLSearchParams({ grant_type: token.grant });
  const basic = token.clientAuthentication === 'basic';
  if (!basic) {
    form.set('client_id', CREDENTIALS.username);
    form.set('client_secret', CREDENTIALS.password);
  }
  const answer = await fetch(`${url}${contract.operation(token.operationId)?.path}`, {
    method: 'POST',
    headers: basic ? { authorization: `Basic ${btoa(`${CREDENTIALS.username}:${CREDENTIALS.password}`)}` } : {},
    body: form,
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Types in place of values; words in capitals, statuses and pointers of a problem stay. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
  }
  if (typeof value === 'string')
    return /^[A-Z_]{3,}$|^\/|problems\//.test(value) ? value.replace(/^.*\/problems/, '') : 'text';
  return value === null ? null : typeof value;
}

/** What a report says, as far as it does not lie in names, in time or in chance. */
export function said(named: Named, { findings, checks, coverage, deprecations, created, ...rest }: Report): object {
  const told = {
    verdict: rest.verdict,
    exitCode: rest.exitCode,
    kind: rest.target.kind,
    findings: findings.map(
      ({
        fingerprint: _,
        location: __,
        exchanges: ___,
        firstSeen: ____,
        lastSeen: _____,
        ticket: ______,
        parts,
        ...finding
      }) => ({
        ...finding,
        ...(parts && { parts: parts.map(({ fingerprint: _______, ...part }) => part) }),
      }),
    ),
    checks: checks.map(({ durationMs: _, ...check }) => check),
    coverage,
    deprecations,
    created: created?.map(({ id: _, ...one }) => one),
    rules: rest.rules,
  };
  const text = named
    .back(JSON.stringify(told))
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/\d\d:\d\d:\d\d\.\d{3}/g, 'TIME')
    .replaceAll(/(?<=\.yaml):\d+/g, '');
  const back = JSON.parse(text) as typeof told;
  return {
    ...back,
    // what one finding is of stands in the order of the names, too
    findings: sorted(
      back.findings.map((finding) => ({ ...finding, ...(finding.checks && { checks: sorted(finding.checks) }) })),
    ),
    checks: sorted(back.checks),
    coverage: back.coverage.operations.map((one) => ({ ...one, fields: sorted(one.fields) })),
  };
}

/** What a recording says. */
export async function learned(named: Named, file: string): Promise<unknown> {
  const { info: _, ...overlay } = parse(named.back(await readFile(file, 'utf8')));
  return keysSorted({ ...overlay, actions: sorted(overlay.actions) });
}

function sorted<T>(list: readonly T[]): T[] {
  const keyed = list.map((item) => [JSON.stringify(keysSorted(item)), item] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

/** The order of members, and of lists of names, follows from the names in places where it says nothing. */
function keysSorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === 'string') ? value.toSorted() : value.map(keysSorted);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, keysSorted(member)]),
  );
}
