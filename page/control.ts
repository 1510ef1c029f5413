import { type Signal, signal } from '@preact/signals';

/** The token that changes need, kept in memory only. If it is null, the page can only read. */
export const controlToken: Signal<string | null> = signal(null);

let base = '/__mock';
/** The token that the reader entered or that the address held. It is not the mock's own and may be rejected. */
let given: string | null = null;

export function giveToken(token: string): void {
  given = token;
  controlToken.value = token;
}

export function use(control: string): void {
  base = control.replace(/\/+$/, '');
}

/** Reads a token from the fragment of the address (`#token=…`) and removes it from the address. */
export function takeToken(): void {
  const [, token] = /^#token=([\w-]{16,})$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  giveToken(token);
  history.replaceState(null, '', `${location.pathname}${location.search}#/journal`);
}

export function controlUrl(path: string): string {
  return base + path;
}

export interface RequestProblem {
  readonly in?: string;
  readonly pointer?: string;
  readonly name?: string;
  /** Position in the text, counted from 1. */
  readonly position?: { readonly line: number; readonly column: number };
  readonly message: string;
}

/** The control API rejected the request, or did not answer (status 0). */
export class ControlError extends Error {
  readonly status: number;
  readonly errors: readonly RequestProblem[];

  constructor(status: number, message: string, errors: readonly RequestProblem[] = []) {
    super(message);
    this.name = 'Refused';
    this.status = status;
    this.errors = errors;
  }
}

interface Sent {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly version?: string | undefined;
}

export async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await ask('GET', path, { signal })).json()) as T;
}

export async function fetchText(path: string): Promise<string> {
  return (await ask('GET', path)).text();
}

export function credentials(): Promise<{ readonly username: string; readonly password: string }> {
  return read('/credentials');
}

/** Reads a record with its version, for `change`. @throws Refused */
export async function readRecord<T>(path: string): Promise<{ readonly record: T; readonly version: string }> {
  const response = await ask('GET', path);
  return { record: (await response.json()) as T, version: response.headers.get('etag') ?? '*' };
}

/** How often this page changed something. Views reread their data on each change. */
export const changes: Signal<number> = signal(0);

/**
 * The body of the answer, or undefined if it is empty. Rejects with 412 if the record is not at `version`. @throws
 * Refused
 */
export async function change<T = void>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  version?: string,
): Promise<T> {
  const response = await ask(method, path, { body, version });
  changes.value += 1;
  return (response.status === 204 ? undefined : await response.json()) as T;
}

async function isRenewed(token: string): Promise<boolean> {
  const fresh = await read<{ readonly controlToken?: string }>('/about').catch(() => null);
  if (!fresh?.controlToken || fresh.controlToken === token) return false;
  controlToken.value = fresh.controlToken;
  return true;
}

async function ask(method: string, path: string, { body, signal, version }: Sent = {}): Promise<Response> {
  const headers: Record<string, string> = version === undefined ? {} : { 'if-match': version };
  const token = controlToken.peek();
  if (token !== null) headers['x-mock-control-token'] = token;
  if (body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(controlUrl(path), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ControlError(0, 'The mock does not answer.');
  }
  if (response.ok) return response;
  if (response.status === 403 && token !== null) {
    // the page asks the reader for a new token; a token from the mock belonged to an earlier start
    if (token === given) controlToken.value = null;
    else if (await isRenewed(token)) return ask(method, path, { body, signal, version });
  }
  const problem = (await response.json().catch(() => ({}))) as {
    title?: string;
    detail?: string;
    errors?: readonly RequestProblem[];
  };
  throw new ControlError(
    response.status,
    problem.detail ?? problem.title ?? `The mock answered ${response.status}.`,
    problem.errors,
  );
}
