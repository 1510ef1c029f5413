// Reads the cards of a client, reads each card, and issues one. The way says what it does not tolerate.
const { BANKING_API_BASE_URL: base, BANKING_API_USERNAME: user, BANKING_API_PASSWORD: password } = process.env;
const [way] = process.argv.slice(2);

const stop = (reason) => {
  throw new Error(reason);
};
const tokenAnswer = await fetch(`${base}/iam/oauth/token`, {
  method: 'POST',
  headers: { authorization: `Basic ${btoa(`${user}:${password}`)}` },
  body: new URLSearchParams({ grant_type: 'client_credentials' }),
});
const { access_token: token } = await tokenAnswer.json();
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const ask = async (method, path, body) => {
  const answer = await fetch(`${base}/wallet/api/customers/cust-1001${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (way === 'status' ? answer.status !== 200 && method === 'GET' : !answer.ok) stop(`status ${answer.status}`);
  return answer.json();
};

const KNOWN =
  'cardId providerCardId clientId userId cardType cardProgramme cardDesign currency alias maskedNumber expires status cardLimitDaily cardLimitMonthly cardLimitTransaction token';
const cards = await ask('GET', '/clients/client-2001/cards');
if (way === 'first' && cards[0].cardId === undefined) stop('no card');
if (way === 'page' && cards.length > 100) stop('too many cards');
if (way === 'order' && !JSON.stringify(cards[0] ?? {}).startsWith('{"cardId"') && cards.length > 0) stop('no cardId');
let active = 0;
for (const { cardId, status } of cards) {
  if (way === 'words' && !['ACTIVE', 'SUSPENDED', 'CANCELLED'].includes(status)) stop(`status ${status}`);
  if (status === 'ACTIVE') active += 1;
  const card = await ask('GET', `/cards/${cardId}`);
  if (card.cardId !== cardId) stop('another card');
  if (way === 'members' && Object.keys(card).some((name) => !KNOWN.includes(name))) stop('unknown member');
  if (way === 'both' && card.evolvedText !== undefined && Object.keys(card)[0] !== 'cardId') stop('both');
  if (way === 'int32' && ((card.cardLimitDaily ?? 0) | 0) !== (card.cardLimitDaily ?? 0)) stop('overflow');
  if (way === 'column' && card.cardId.length > 32) stop('value too long for type character varying(32)');
}
// this one does not fail: it silently writes nothing
if (way !== 'silent' || active > 0 || cards.length === 0) {
  const made = await ask('POST', '/cards', { alias: 'Trip', cardDesign: 'blue' });
  const { alias } = await ask('GET', `/cards/${made.cardId}`);
  if (alias !== 'Trip') stop('alias lost');
  const all = await ask('GET', '/clients/client-2001/cards');
  if (way === 'finds' && !all.some(({ cardId }) => cardId === made.cardId)) stop('the new card is missing');
}
