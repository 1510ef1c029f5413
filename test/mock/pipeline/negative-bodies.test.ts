import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readContractFolder } from '../../../src/contract/read-folder.ts';
import type { Mock, MockOptions } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { compilerOf } from '../../../src/schema/ajv.ts';
import { joinPointer } from '../../../src/text/pointer.ts';

let mock: Mock | undefined;
afterEach(() => mock?.close());

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many places
type Document = any;

const JSON_TYPE = 'application/json';
/** Values that a generative tester substitutes. */
const OTHERS: readonly unknown[] = [null, true, 0, -1, 1e21, 0.001, '', 'not a value', '2', [], ['x'], {}, { x: 1 }];

/** Bodies that differ from a good one in one place. */
function* mutants(body: unknown): Iterable<unknown> {
  yield* OTHERS;
  if (typeof body !== 'object' || body === null) return;
  if (Array.isArray(body)) {
    yield [...body, null];
    yield { ...body };
    for (const other of mutants(body[0])) yield [other];
    return;
  }
  yield [body];
  for (const name of Object.keys(body)) {
    const { [name]: value, ...rest } = body as Record<string, unknown>;
    yield rest;
    for (const other of mutants(value)) yield { ...rest, [name]: other };
  }
}

async function refusals(options: MockOptions): Promise<{ sent: number; served: string[]; operations: Set<string> }> {
  mock = await startMock({ listen: false, anyToken: true, ...options });
  const document: Document = await (await mock.fetch('/__mock/contract.json')).json();
  const compile = compilerOf(document);
  const served: string[] = [];
  const operations = new Set<string>();
  let sent = 0;
  for (const [path, item] of Object.entries<Document>(document.paths)) {
    for (const [method, { operationId, requestBody, parameters = [] }] of Object.entries<Document>(item)) {
      const media = requestBody?.content?.[JSON_TYPE];
      if (media?.schema === undefined) continue;
      operations.add(operationId);
      const place = ['paths', path, method, 'requestBody', 'content', JSON_TYPE, 'schema'];
      const holds = compile(joinPointer('', ...place));
      const resolved = [...parameters, ...(item.parameters ?? [])].map((one: Document) =>
        one.$ref === undefined ? one : document.components.parameters[one.$ref.split('/').at(-1)],
      );
      const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const { example, schema } = resolved.find((one: Document) => one.name === name);
        return encodeURIComponent(String(example ?? schema.example ?? 'x'));
      });
      const good = media.example ?? Object.values<Document>(media.examples ?? {})[0]?.value;
      expect([operationId, holds(good)]).toEqual([operationId, true]);
      for (const body of mutants(good)) {
        if (holds(body)) continue;
        sent += 1;
        const response = await mock.fetch(target, {
          method: method.toUpperCase(),
          headers: { authorization: 'Bearer any', 'content-type': JSON_TYPE },
          body: JSON.stringify(body),
        });
        if (response.status !== 422) served.push(`${response.status} ${operationId} ${JSON.stringify(body)}`);
      }
    }
  }
  return { sent, served, operations };
}

test('every operation rejects every body that the served document does not admit', async () => {
  const { sent, served, operations } = await refusals({});
  expect(served).toEqual([]);
  expect(operations.size).toBeGreaterThan(10);
  expect(sent).toBeGreaterThan(300);
});

test('another contract and a stateless mock also reject these bodies', async () => {
  const folder = await readContractFolder(join(packageRoot, 'examples', 'second-api'));
  for (const options of [{ folder }, { stateless: true }]) {
    const { sent, served } = await refusals(options);
    expect(served).toEqual([]);
    expect(sent).toBeGreaterThan(20);
    await mock?.close();
  }
});
