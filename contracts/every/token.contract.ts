import { check, checksOf, expectThat } from 'banking-api-contract/contract';

const MANY = 'token.serves-many-calls';

for (const id of checksOf('token')) if (id !== MANY) check(id);

function isGood(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

check(MANY, async (t) => {
  await t.all();
  const attempts = await t.attempts();
  const worn = attempts.filter(
    ({ status, tokenId }, index) =>
      status === 401 &&
      attempts.slice(0, index).some((earlier) => earlier.tokenId === tokenId && isGood(earlier.status)),
  );
  // How long a token is kept is our client's affair, and one may run out between two calls; each cannot.
  expectThat(worn.length < 2, 'one token for several calls', 'every token refused after its first call');
});
