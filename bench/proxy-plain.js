/**
 * A plain proxy in Node, against which ours is measured: it passes requests and answers on over kept connections and judges nothing.
 * `node bench/proxy-plain.js PORT TARGET_PORT`
 */
import { Agent, createServer, request as open } from 'node:http';
import process from 'node:process';

const [port, targetPort] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true });
/** Fields of one connection (RFC 9110, 7.6.1), which are not passed on. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function passedOn(rawHeaders) {
  const kept = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index].toLowerCase();
    if (!HOP_BY_HOP.has(name)) kept.push(rawHeaders[index], rawHeaders[index + 1]);
  }
  return kept;
}

const server = createServer((request, response) => {
  const { method, url, rawHeaders } = request;
  const outgoing = open({
    host: '127.0.0.1',
    port: targetPort,
    agent,
    method,
    path: url,
    headers: passedOn(rawHeaders),
    setHost: false,
  });
  outgoing.on('response', (incoming) => {
    response.writeHead(incoming.statusCode, passedOn(incoming.rawHeaders));
    incoming.pipe(response);
  });
  outgoing.on('error', () => {
    if (!response.headersSent) response.writeHead(502);
    response.end();
  });
  response.on('close', () => {
    if (!response.writableFinished) outgoing.destroy();
  });
  request.pipe(outgoing);
});

server.listen(port, '127.0.0.1', () => process.send?.('ready'));
