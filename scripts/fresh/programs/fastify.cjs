const { IssueNewCardRequest } = require('banking-api-contract/validators/issue-new-card-request');
const Fastify = require('fastify');

const { jsonSchema } = IssueNewCardRequest.forCurrency('GBP')['~standard'];
const app = Fastify();
app.post('/cards', { schema: { body: jsonSchema.input({ target: 'draft-07' }) } }, async () => 'taken');

(async () => {
  for (const [cardLimitDaily, status] of [
    [100_000, 200],
    [100_001, 400],
    ['much', 400],
  ]) {
    const answer = await app.inject({ method: 'POST', url: '/cards', payload: { cardLimitDaily } });
    if (answer.statusCode !== status) throw new Error(`${cardLimitDaily} got ${answer.statusCode}: ${answer.body}`);
  }
})();
