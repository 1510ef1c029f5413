import { hash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { documentFolder } from '../contract/document-folder.ts';
import type { ContractFolder } from '../contract/folder.ts';
import { createUpstream } from '../egress/connect.ts';
import { ToolError } from '../errors.ts';
import { DOCUMENT } from '../files/read.ts';
import { isLoopback } from '../net/host.ts';
import { decodeUtf8 } from '../text/decode.ts';
import { type NetworkSources, networkFrom } from './network.ts';

const SECONDS = 30;

/**
 * Fetches an OpenAPI document. The request has no credentials and follows no redirect.
 * @throws ToolError `usage` for another URL; `file-unreadable` if it cannot be fetched
 */
export async function fetchedFolder(
  address: string,
  sources: Omit<NetworkSources, 'target'>,
  signal?: AbortSignal,
): Promise<ContractFolder> {
  const url = checkedUrl(address);
  const network = await networkFrom({ ...sources, target: url.href });
  const bytes = await fetchBytes(url, createUpstream(url.origin, SECONDS, network), signal);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw unfetched(url, 'The document is not UTF-8 text.');
  return { ...documentFolder(url.pathname), fetched: { url: url.href, text, sha256: hash('sha256', bytes) } };
}

/** Messages never quote the URL before it is checked: it may hold credentials. */
function checkedUrl(address: string): URL {
  const refuse = (message: string): ToolError => new ToolError('usage', `--spec: ${message}`);
  const url = URL.parse(address);
  if (url === null) throw refuse('This is no URL.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(host)))
    throw refuse('A URL must start with https://, or with http:// for this machine.');
  if (url.username !== '' || url.password !== '') throw refuse('A URL must not hold credentials.');
  url.hash = '';
  return url;
}

async function fetchBytes(
  url: URL,
  upstream: ReturnType<typeof createUpstream>,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const deadline = AbortSignal.timeout(SECONDS * 1000);
  const until = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  try {
    const request = upstream.open({
      method: 'GET',
      target: `${url.pathname}${url.search}`,
      headers: ['host', url.host, 'accept', '*/*', 'connection', 'close'],
      signal: until,
    });
    const [answer] = (await once(request.end(), 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) {
      answer.destroy();
      throw unfetched(url, `The server answers ${answer.statusCode}; a redirect is not followed.`);
    }
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > DOCUMENT.most) throw unfetched(url, 'The document is larger than 32 MB, the limit.');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    if (signal?.aborted) throw new ToolError('interrupted', 'Interrupted while the document was fetched.', { cause });
    const why = deadline.aborted ? `It did not arrive within ${SECONDS} seconds` : upstream.failureFrom(cause).message;
    throw unfetched(url, `The document cannot be fetched: ${why}.`, cause);
  } finally {
    upstream.close();
  }
}

function unfetched(url: URL, message: string, cause?: unknown): ToolError {
  return new ToolError('file-unreadable', message, { place: { file: url.href }, cause });
}
