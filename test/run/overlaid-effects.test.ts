import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { ToolError } from '../../src/errors.ts';
import { openSession } from '../../src/run/session.ts';
import { openSuite } from '../../src/run/suite.ts';
import { openTarget } from '../../src/run/target.ts';
import { overlayOf } from '../support/overlay.ts';
import { CREDENTIALS, PARAMETERS } from './sandbox.ts';

const { operations } = await loadContract();
const ids = operations.map(({ operationId }) => operationId);
const TOKEN = 'POST /iam/oauth/token';
const FEES =
  /^POST \/(?:billing|wallet)\/api\/customers\/[^/]+\/clients\/[^/]+\/transactions\/fees(?:\?currency=GBP)?$/;
const ownPaths = operations.flatMap(({ path }) => (path === null ? [] : [path]));

const oneOf = fc.constantFrom;
const path = oneOf(...ownPaths, '/transactions', '/cards/{cardId};_method=DELETE', '/cards{_method}');
const method = oneOf('get', 'put', 'post', 'delete', 'patch', 'options', 'head', 'trace');
const parameter = fc.record({
  name: oneOf('_method', 'X-HTTP-Method-Override', 'x-http-method', 'currency'),
  in: oneOf('query', 'header', 'path'),
  required: fc.constant(true),
  style: oneOf(undefined, 'matrix'),
  example: oneOf('DELETE', 'PUT', 'GBP'),
  schema: fc.constant({ type: 'string' }),
});
const body = fc.record({
  required: fc.boolean(),
  content: oneOf('application/json', 'application/x-www-form-urlencoded').map((type) => ({
    [type]: { schema: { type: 'object' }, example: { _method: 'DELETE' } },
  })),
});
const operation = fc.record(
  {
    operationId: oneOf(...ids),
    'x-effect': oneOf('read', 'write'),
    security: oneOf([], [{ bearerAuth: [] }]),
    deprecated: fc.boolean(),
    'x-successor': fc.record({ operationId: oneOf(...ids), methodChange: fc.constant({ from: 'GET', to: 'POST' }) }),
    parameters: fc.array(parameter, { maxLength: 2 }),
    requestBody: body,
  },
  { requiredKeys: ['operationId'] },
);
const place = fc.tuple(path, method).map(([at, of]) => `$.paths['${at}'].${of}`);
/** Takes the name of an operation, or removes it, so that another one can have the name. */
const freed = oneOf(...ids).chain((id) =>
  oneOf({ update: { operationId: 'before' } }, { remove: true }).map((change) => ({
    target: `$.paths.*[?@.operationId=="${id}"]`,
    ...change,
  })),
);
const action = fc.oneof(
  fc.tuple(path, method, operation).map(([at, of, value]) => [
    { target: `$.paths.*[?@.operationId=="${value.operationId}"]`, remove: true },
    { target: '$.paths', update: { [at]: { [of]: value } } },
  ]),
  freed.map((one) => [one]),
  place.map((target) => [{ target, remove: true }]),
  fc.tuple(place, operation).map(([target, { operationId: _, ...update }]) => [{ target, update }]),
  oneOf(...ids).map((operationId) => [
    { target: '$.components.securitySchemes.*', update: { 'x-token': { grant: { operationId } } } },
  ]),
);

/** Everything that a run with the overlay would send, as method and target. */
async function sentWith(actions: readonly object[]): Promise<string[]> {
  const settings = { target: 'http://sandbox.example', credentials: CREDENTIALS, parameters: PARAMETERS, probe: true };
  const options = { ...settings, overlays: [overlayOf(actions)], httpAllowedOn: ['sandbox.example'] };
  await using target = await openTarget(options);
  await using closed = await openSession({ ...target, credentials: null }, options);
  const session = { ...closed, target, nothing: null };
  const calls = [...openSuite(session).checks.values()].flatMap((check) => check.calls);
  const { token, operation } = target.contract;
  const issuer = { operationId: token?.operationId ?? '', target: operation(token?.operationId ?? '')?.path ?? '/' };
  const isSent = session.policy.refuse({ ...issuer, method: 'POST', purpose: 'succeed' }) === null;
  return [...calls.map((call) => `${call.method} ${call.target}`), ...(isSent ? [`POST ${issuer.target}`] : [])];
}

test('D13: no overlay makes another method than GET leave, except for the own fee and token paths', async () => {
  let loaded = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 4 }), async (actions) => {
      const sent = await sentWith(actions.flat()).catch((error: unknown) => {
        if (error instanceof ToolError) return [];
        throw error;
      });
      loaded += Math.sign(sent.length);
      expect(sent.filter((line) => !/^(?:GET|HEAD|OPTIONS) /.test(line) && line !== TOKEN && !FEES.test(line))).toEqual(
        [],
      );
      expect(sent.filter((line) => /_method|-method/i.test(line))).toEqual([]);
    }),
    { numRuns: 100 },
  );
  expect(loaded).toBeGreaterThan(20);
}, 60_000);
