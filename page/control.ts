import { type Signal, signal } from '@preact/signals';

/** The token that changes need, in memory only; null while the page has none, so that it can only read. */
export const controlToken: Signal<string | null> = signal(null);

let base = '/__mock';
/** The token that the reader gave, by the address or by hand: the mock did not tell it, and may not take it. */
let given: string | null = null;

/** Takes a token from the reader. */
export function giveToken(token: string): void {
  given = token;
  controlToken.value = token;
}

/** Sets where the control API is. A token in the fragment of the address (`#token=…`) is taken and put out of sight. */
export function use(control: string): void {
  base = control.replace(/\/+$/, '');
  const [, token] = /^#token=([\w-]{16,})$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  giveToken(token);
  history.replaceState(null, '', `${location.pathname}${location.search}#/journal`);
}

/** Address under the control API. */
export function addressOf(path: string): string {
  return base + path;
}

/** What is wrong with one place of a request. */
export interface Wrong {
  readonly in?: string;
  readonly pointer?: string;
  readonly name?: string;
  /** In a text, from 1. */
  readonly position?: { readonly line: number; readonly column: number };
  readonly message: string;
}

/** The control API refused, or did not answer (status 0). */
export class Refused extends Error {
  readonly status: number;
  readonly errors: readonly Wrong[];

  constructor(status: number, message: string, errors: readonly Wrong[] = []) {
    super(message);
    this.name = 'Refused';
    this.status = status;
    this.errors = errors;
  }
}

interface ProblemBody {
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly Wrong[];
}

/** Reads from the control API. @throws Refused */
export async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await ask('GET', path, undefined, signal)).json()) as T;
}

/** Reads a text from the control API; a seed holds secrets, so the token goes with it. @throws Refused */
export async function readText(path: string): Promise<string> {
  return (await ask('GET', path, undefined, undefined, true)).text();
}

/** Reads what is told only to who may change something. @throws Refused */
export async function readSecret<T>(path: string): Promise<T> {
  return (await (await ask('GET', path, undefined, undefined, true)).json()) as T;
}

/** Changes something by the control API; resolves to its answer, undefined where that has no body. @throws Refused */
export async function change<T = void>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await ask(method, path, body);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

async function ask(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  withToken = method !== 'GET',
): Promise<Response> {
  const headers: Record<string, string> = {};
  const token = controlToken.peek();
  if (withToken && token !== null) headers['x-mock-control-token'] = token;
  if (body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(addressOf(path), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused(0, 'The mock does not answer.');
  }
  if (response.ok) return response;
  // the reader is asked again
  if (response.status === 403 && withToken && token !== null && token === given) controlToken.value = null;
  const problem = (await response.json().catch(() => ({}))) as ProblemBody;
  throw new Refused(
    response.status,
    problem.detail ?? problem.title ?? `The mock answered ${response.status}.`,
    problem.errors,
  );
}
