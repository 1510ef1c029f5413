/**
 * The minimum that a mock like ours must do: HMAC tokens, JSON in and out, new ids, records per customer, a journal
 * line, the same headers and idle timeout. It validates nothing. Its speed relative to bare `node:http` is the limit
 * for Node. `node bench/mock-floor.js PORT`
 */
import { createHmac, createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';

/** Bytes of the journal's window: about 10,000 exchanges. */
const WINDOW = 16 * 1024 * 1024;
/** Bytes of the longest line. */
const LINE = 8 * 1024;
/** Seconds. */
const LIFETIME = 3600;
/** Milliseconds after which an idle connection is closed. */
const IDLE = 60_000;

const key = createSecretKey(randomBytes(32));
const head = base64url({ alg: 'HS256', typ: 'JWT', kid: '0' });
/** Number of kept cards; the oldest are dropped. */
const MOST = 10_000;
/** Tokens with a verified signature, with their claims. */
const verified = new Map();
/** The cards of each customer. */
const customers = new Map();
const first = {
  cardId: 'card-4001',
  providerCardId: 'prv-9a41c07d',
  clientId: 'client-2001',
  userId: 'user-3001',
  cardType: 'PHYSICAL',
  cardProgramme: 'business-debit',
  cardDesign: 'midnight-blue',
  currency: 'GBP',
  alias: 'Office supplies',
  maskedNumber: '5355 22** **** 4001',
  expires: '2029-08',
  status: 'ACTIVE',
  cardLimitDaily: 5000,
  cardLimitMonthly: 60000,
  cardLimitTransaction: 2500,
  token: 'ctk-51e0f3a2b7c94d68',
};
customers.set('cust-1001', new Map([[first.cardId, first]]));
/** Ids of the newest cards. */
const issued = [];
const journal = Buffer.alloc(WINDOW);
let end = 0;
let seq = 0;
let made = 0;

function base64url(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function sign(text) {
  return createHmac('sha256', key).update(text).digest('base64url');
}

function issueToken() {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: 'https://floor.invalid', sub: 'sandbox', client_id: 'sandbox', iat, exp: iat + LIFETIME };
  const jti = randomUUID();
  const signed = `${head}.${base64url({ ...claims, jti })}`;
  const token = `${signed}.${sign(signed)}`;
  return { access_token: token, expires_in: LIFETIME - 1, jti, scope: '', token_type: 'bearer' };
}

/** The claims of a valid token; undefined for other text. */
function judge(token) {
  const known = verified.get(token);
  if (known) return Date.now() / 1000 < known.exp ? known : undefined;
  const cut = token.lastIndexOf('.');
  if (cut < 0 || sign(token.slice(0, cut)) !== token.slice(cut + 1)) return undefined;
  const claims = JSON.parse(String(Buffer.from(token.slice(token.indexOf('.') + 1, cut), 'base64url')));
  verified.set(token, claims);
  return claims;
}

/** Every card has ids of its own. */
function issueCard(cards, text) {
  const fresh = randomUUID();
  const card = {
    ...first,
    ...JSON.parse(text),
    cardId: `card-${fresh.slice(0, 8)}`,
    providerCardId: `prv-${fresh.slice(28)}`,
    token: `ctk-${fresh.slice(9, 13)}${fresh.slice(24)}`,
  };
  cards.set(card.cardId, card);
  cards.delete(issued[made % MOST]);
  issued[made++ % MOST] = card.cardId;
  return card;
}

/** The path is `/wallet/api/customers/ID/cards/ID`; without the last id, a new card is issued. */
function cardAt(url, text) {
  const [, , , , customer, , id] = url.split('/');
  const cards = customers.get(customer);
  return id === undefined ? issueCard(cards, text) : cards.get(id);
}

/** Unredacted: a reader of the journal masks the secrets and names the token. Header fields contain no line feed. */
function keep(facts, sent, headers, body) {
  if (end + LINE > WINDOW) end = 0;
  end += journal.write(`${[...facts, ...sent, ...headers].join('\n')}\n${body}\n`, end);
}

function answer(request, response, text, startedAt) {
  const { url, method, rawHeaders, socket } = request;
  const isToken = url === '/iam/oauth/token';
  const isKnown = isToken || judge((request.headers.authorization ?? '').slice('Bearer '.length));
  if (!isKnown) return void response.writeHead(401).end();
  const shown = isToken ? issueToken() : cardAt(url, text);
  const body = JSON.stringify(shown);
  const length = Buffer.byteLength(body);
  const headers = [
    'x-mock-provenance',
    'assumed',
    'content-type',
    'application/json',
    'content-length',
    String(length),
  ];
  if (isToken) headers.push('cache-control', 'no-store', 'pragma', 'no-cache');
  response.writeHead(200, headers);
  response.end(body, length === body.length ? 'latin1' : 'utf8');
  const facts = [++seq, startedAt, Date.now(), socket.remotePort, method, url, 200, rawHeaders.length];
  keep(facts, rawHeaders, headers, `${text}\n${body}`);
}

const server = createServer({ optimizeEmptyRequests: true }, (request, response) => {
  const startedAt = Date.now();
  if (request.method === 'GET') return answer(request, response, '', startedAt);
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    answer(request, response, String(bytes), startedAt);
  });
});
server.timeout = IDLE;
server.listen(Number(process.argv[2]), '127.0.0.1');
