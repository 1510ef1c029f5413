import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Io } from '../../src/cli/command.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { listening } from '../cli/command.ts';
import { FOLDER } from './pigeons.ts';
import { type Change, startStandIn } from './stand-in.ts';

/** One request to the mock. */
export interface Step {
  readonly operation: string;
  readonly body?: unknown;
  /** Parameters that differ from the default roles; `last` is a member of the previous answer. */
  readonly parameters?: Readonly<Record<string, string | { readonly last: string }>>;
}

export const ENV: Io['env'] = { BANKING_API_USERNAME: 'sandbox', BANKING_API_PASSWORD: 'sandbox-secret' };

/** The contract of the second API, with all assumptions of its mock. */
const contractOf = (): Promise<Contract> =>
  loadContract({
    root: join(FOLDER, 'spec/openapi.yaml'),
    overlays: [join(FOLDER, 'mocks/assumptions.overlay.yaml')],
  });

/** Parameters that match a record of the seed. */
async function seededParameters(): Promise<Readonly<Record<string, string>>> {
  return parse(await readFile(join(FOLDER, 'mocks/entities.yaml'), 'utf8')).roles.parameters;
}

/** Writes a config into a folder for runs against the stand-in, and returns its arguments. */
export async function configured(work: string, more: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
  const file = join(work, 'banking-api.config.yaml');
  const settings = { writesAllowedOn: ['127.0.0.1'], limits: { backoff: 0.01 }, ...more };
  await writeFile(file, stringify({ parameters: await seededParameters(), ...settings }));
  return ['--contract', FOLDER, '--config', file];
}

/** A mock of the second API behind a stand-in that changes its answers. */
export async function startSandbox(changes: readonly Change[] = []) {
  const mock = await listening(['mock', '--contract', FOLDER, '--lenient']);
  const standIn = await startStandIn(mock.url, await contractOf(), changes);
  return {
    url: standIn.url,
    seen: standIn.seen,
    async [Symbol.asyncDispose]() {
      await standIn[Symbol.asyncDispose]();
      await mock[Symbol.asyncDispose]();
    },
  };
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function callOf(step: Step, contract: Contract, last: Readonly<Record<string, unknown>> = {}): Promise<Call> {
  const operation = contract.operation(step.operation);
  if (operation?.path == null) throw new Error(`${step.operation} is not located`);
  const own = Object.entries(step.parameters ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : String(last[value.last]),
  ]);
  const values: Readonly<Record<string, string>> = { ...(await seededParameters()), ...Object.fromEntries(own) };
  const headers = operation.parameters.flatMap(({ name, in: place }) =>
    place === 'header' ? [[name, values[name] ?? '']] : [],
  );
  const { body } = step;
  return {
    method: operation.method ?? 'GET',
    path: operation.path.replace(/\{([^{}]+)\}/g, (_, name: string) => values[name] ?? ''),
    headers: { ...Object.fromEntries(headers), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  };
}

/** Input for `caller.mjs`: the calls it makes. */
export async function callsOf(steps: readonly Step[], form = true): Promise<string> {
  const contract = await contractOf();
  const calls = await Promise.all(steps.map((step) => callOf(step, contract)));
  return JSON.stringify({ token: { path: '/oauth2/token', form }, calls });
}

export interface Answer {
  readonly status: number;
  readonly provenance: string | null;
  readonly body: object;
}

/** Sends the requests in turn to a mock or a proxy. */
export async function talk(url: string, steps: readonly Step[]): Promise<readonly Answer[]> {
  const contract = await contractOf();
  const form = { grant_type: 'client_credentials', client_id: 'sandbox', client_secret: 'sandbox-secret' };
  const response = await fetch(`${url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = (await response.json()) as { access_token: string };
  const answers: Answer[] = [];
  let last: Readonly<Record<string, unknown>> = {};
  for (const step of steps) {
    const { method, path, headers, body } = await callOf(step, contract, last);
    const bearer = contract.operation(step.operation)?.auth === 'bearer';
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(bearer && { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    last = text === '' ? {} : JSON.parse(text);
    answers.push({ status: answer.status, provenance: answer.headers.get('x-mock-provenance'), body: last });
  }
  return answers;
}
