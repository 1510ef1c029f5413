import { spec } from 'pactum';
import { check, remainingRows } from '../support/suite.ts';

// The checks that the engine lists for every located operation of any contract. They assert whether an answer is a
// success or a refusal; the judge decides the rest. Deletions run last, from the smallest to the largest.
for (const row of remainingRows()) {
  check(row.id, async () => {
    for (const request of row.requests) {
      for (let time = 0; time < request.times; time += 1) {
        const call = spec().withMethod(request.method).withPath(request.target).withHeaders(request.headers);
        if (request.body !== undefined) call.withBody(request.body);

        if (request.purpose === 'succeed') call.expect('success');
        else if (request.purpose === 'refuse-token') call.expectStatus(401);
        else call.expect('refused');
        await call;
      }
    }
  });
}
