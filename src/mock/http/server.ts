import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { close, createServer, endRaw, endWithBytes, listen, urlOf } from '../../net/serving.ts';
import { type Answer, type FlatHeaders, withHeaders } from '../message/answer.ts';
import type { Interruption, ReceivedRequest } from '../message/call.ts';
import type { MockLimits } from '../message/limits.ts';
import { fault, problem } from '../message/problem.ts';
import { METHODS } from '../pipeline/cors.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import {
  type BodyRead,
  bodyTooLarge,
  expectationFailed,
  hasBody,
  headersTooLarge,
  judgeFraming,
  readPart,
  receiveBody,
  toCall,
} from './read-request.ts';

/** Milliseconds that a client has to read a refusal before the connection is cut. */
const LINGER = 500;

export interface ServerOptions {
  readonly limits: MockLimits;
  readonly serve: (call: ReceivedRequest, request: IncomingMessage) => Answer | Promise<Answer>;
  readonly readable: (request: IncomingMessage) => FlatHeaders;
  readonly interrupt: Pipeline['interrupt'];
}

export function createMockServer(options: ServerOptions) {
  const { limits } = options;
  let closing = false;

  /** Sends an answer from outside the pipeline, with the header fields that let a page read it. */
  const refuse = (request: IncomingMessage, response: ServerResponse, answer: Answer, cut = false): void =>
    send(request, response, withHeaders(answer, options.readable(request)), cut);

  const send = (request: IncomingMessage, response: ServerResponse, answer: Answer, cut = false): void => {
    if (answer.wire) {
      answer.wire.send(response, answer, request.method === 'HEAD' ? null : answer.body);
      return;
    }
    const headers = closing || cut ? [...answer.headers, 'connection', 'close'] : (answer.headers as string[]);
    response.writeHead(answer.status, headers);
    endWithBytes(response, request.method === 'HEAD' ? null : answer.body);
    // nearly every answer is sent by now, which saves an event
    if (answer.onSent && response.writableLength === 0) answer.onSent();
    else if (answer.onSent) response.once('finish', answer.onSent);
    if (cut) setTimeout(() => request.destroy(), LINGER).unref();
  };

  const answerCall = (request: IncomingMessage, response: ServerResponse, call: ReceivedRequest): void => {
    const fail = (error: unknown): void => refuse(request, response, fault(error));
    // All answers of one turn of the event loop are sent after it. The first write wakes the client, which costs more
    // than the write; for the others it is still awake.
    const sendLater = (answer: Answer): void => {
      setImmediate(() => {
        if (response.destroyed) return;
        try {
          send(request, response, answer);
        } catch (error) {
          if (response.headersSent) request.destroy();
          else fail(error);
        }
      });
    };
    try {
      const answer = options.serve(call, request);
      if (answer instanceof Promise) answer.then(sendLater, fail);
      else sendLater(answer);
    } catch (error) {
      fail(error);
    }
  };

  const take = (
    request: IncomingMessage,
    response: ServerResponse,
    call: ReceivedRequest,
    interruption: Interruption | undefined,
  ): void => {
    call.interruption = interruption;
    const done = (read: BodyRead): void => {
      if ('tooLarge' in read) refuse(request, response, bodyTooLarge(limits), read.cut);
      else {
        call.body = read.bytes.length > 0 ? read.bytes : null;
        answerCall(request, response, call);
      }
    };
    if (!hasBody(request)) answerCall(request, response, call);
    else if (interruption) readPart(request, done);
    else receiveBody(request, limits, done);
  };

  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      keepAliveTimeout: limits.keepAliveTimeout,
      // Node looks for late connections twice within the shortest timeout
      connectionsCheckingInterval: Math.min(1_000, Math.ceil(limits.headersTimeout / 2)),
      requireHostHeader: false,
      // unknown to Node 22.19; saves a tenth of the time of a request without a body
      optimizeEmptyRequests: true,
    },
    (request, response) => {
      const call = judgeFraming(request, limits) ?? toCall(request);
      if ('status' in call) {
        refuse(request, response, call, hasBody(request));
        return;
      }
      const interruption = options.interrupt(call);
      if (interruption instanceof Promise)
        interruption.then(
          (late) => take(request, response, call, late),
          (error: unknown) => refuse(request, response, fault(error)),
        );
      else take(request, response, call, interruption);
    },
  );
  // closes an idle connection; a late request got its 408 long before
  server.timeout = 2 * limits.requestTimeout;
  refuseTheRest(server);

  return {
    async listen(wanted: number, host: string) {
      const { port } = await listen(server, wanted, host);
      return { port, url: urlOf(host, port) };
    },
    async close(): Promise<void> {
      closing = true;
      await close(server);
    },
  };
}

/** Answers input that never becomes a request: broken bytes, tunnels, expectations. */
function refuseTheRest(server: Server): void {
  // requests that arrived before the broken bytes are answered first
  server.on('clientError', (error, socket) => setImmediate(() => endRaw(socket, answerTo(error))));
  server.on('connect', (_request, socket) => {
    // Node has detached this socket, so an unhandled error would end the process
    socket.on('error', () => socket.destroy());
    endRaw(
      socket,
      problem('method-not-allowed', 'this server is not a proxy', {
        headers: ['allow', METHODS],
      }),
    );
  });
  server.on('checkExpectation', (_request, response) => {
    const { status, headers, body } = expectationFailed();
    response.writeHead(status, headers as string[]).end(body);
  });
}

/** Answers bytes that Node's parser rejects (rules M2, S22, S25). */
function answerTo(error: Error & { readonly code?: string }): Answer {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge();
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return problem('body-too-large', 'the chunk extensions are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem('request-timeout', 'the request did not arrive in time');
    default:
      return problem('bad-request', 'the bytes are no HTTP/1.1 request');
  }
}
