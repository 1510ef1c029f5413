import { gzipSync } from 'node:zlib';
import { html, json } from '../run/sandbox.ts';
import type { Answer } from './stand-in.ts';
import type { Body } from './world.ts';

/** Ways to answer, for switches. Each applies to every answer; `once` limits it to the first. */
export const status =
  (code: number, body: unknown = { error: 'x' }, headers: Record<string, string> = {}): Answer =>
  (response) =>
    json(response, code, body, headers);

export const page =
  (code: number): Answer =>
  (response) =>
    html(response, code);

export const reset: Answer = (response) => {
  response.socket?.destroy();
  return true;
};

export const silence: Answer = () => true;

export const truncated: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '999' });
  response.write('{"id": "');
  setTimeout(() => response.socket?.destroy(), 5);
  return true;
};

/** A 200 with these bytes. */
export const bytes =
  (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }): Answer =>
  (response) => {
    response.writeHead(200, headers);
    response.end(body);
    return true;
  };

/** The good body, edited. */
export const sent =
  (edit: (body: Body) => unknown): Answer =>
  (response, count, body) =>
    bytes(JSON.stringify(edit(body)))(response, count, body);

/** The good body in another content type. */
export const typed =
  (type: string): Answer =>
  (response, _, body) => {
    response.writeHead(200, { 'content-type': type });
    response.end(JSON.stringify(body));
    return true;
  };

/** The good body with another status. */
export const good =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response, _, body) => {
    if (body === undefined) response.writeHead(code === 200 ? 204 : code, headers).end();
    else json(response, code, body, headers);
    return true;
  };

export const gzipped: Answer = (response, _, body) => {
  if (body === undefined) return false;
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  response.end(gzipSync(JSON.stringify(body)));
  return true;
};

/** The good body in pieces, without a length. */
export const dribbled =
  (pause: number): Answer =>
  (response, _, body) => {
    if (body === undefined) return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    const text = JSON.stringify(body);
    const pieces = [text.slice(0, 5), text.slice(5, 20), text.slice(20)];
    const next = (): void => {
      const piece = pieces.shift();
      if (piece === undefined) return void response.end();
      response.write(piece);
      setTimeout(next, pause);
    };
    next();
    return true;
  };

/** Only the first answer of each operation. */
export const once =
  (answer: Answer): Answer =>
  (response, count, body) =>
    count === 1 ? answer(response, count, body) : false;
