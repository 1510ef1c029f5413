/** A minimal HTTP server in Node: answers of the same size, without checks. `node bench/mock-bare.js PORT` */
import { createServer } from 'node:http';
import process from 'node:process';

const card = Buffer.from(JSON.stringify({ card: 'x'.repeat(397) }));
const token = Buffer.from(JSON.stringify({ access_token: 'x'.repeat(422) }));

createServer((request, response) => {
  const body = request.url === '/iam/oauth/token' ? token : card;
  const answer = () => {
    response.writeHead(200, ['content-type', 'application/json', 'content-length', String(body.length)]);
    response.end(body);
  };
  if (request.method === 'GET') answer();
  else request.resume().on('end', answer);
}).listen(Number(process.argv[2]), '127.0.0.1');
