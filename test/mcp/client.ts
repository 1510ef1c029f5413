import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { packageRoot } from '../../src/package-root.ts';

export interface Told {
  readonly text: string;
  readonly isError: boolean;
  readonly data: readonly unknown[];
  readonly head: Readonly<Record<string, unknown>>;
}

export interface Agent extends AsyncDisposable {
  readonly client: Client;
  /** Texts of all answers so far. */
  readonly texts: readonly string[];
  call(name: string, given?: Record<string, unknown>): Promise<Told>;
  /** All pages of an answer. */
  all(name: string, given?: Record<string, unknown>): Promise<readonly unknown[]>;
  /** Messages of the command on stderr. */
  said(): string;
}

/** Starts `banking-api mcp` as an agent does, with the client of the official SDK. */
export async function agent(
  args: readonly string[],
  over: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Agent> {
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(packageRoot, 'bin/banking-api.js'), 'mcp', ...args],
    stderr: 'pipe',
    ...over,
  });
  const said: string[] = [];
  transport.stderr?.on('data', (chunk) => said.push(String(chunk)));
  await client.connect(transport);
  const texts: string[] = [];

  async function call(name: string, given: Record<string, unknown> = {}): Promise<Told> {
    const options = { timeout: 120_000, onprogress: () => {} };
    const { content, isError } = await client.callTool({ name, arguments: given }, undefined, options);
    const [{ text = '' } = {}] = content as { readonly text?: string }[];
    texts.push(text);
    const { data, ...head } = JSON.parse(text) as { readonly data: readonly unknown[] };
    return { text, isError: isError === true, data, head };
  }

  async function all(name: string, given: Record<string, unknown> = {}): Promise<readonly unknown[]> {
    const { data, head } = await call(name, given);
    return head.page === undefined ? data : [...data, ...(await all(name, { page: head.page }))];
  }

  return { client, texts, call, all, said: () => said.join(''), [Symbol.asyncDispose]: () => client.close() };
}
