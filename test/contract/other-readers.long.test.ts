import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lint } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStockPrism } from '../../bench/prism-mock.ts';
import { VALIDATORS } from '../../generated/validators/by-name.ts';
import type { Media, Operation } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { packageRoot } from '../../src/package-root.ts';
import { bodyFor, destinationOf, inventedParameters } from '../../src/run/request.ts';
import { isObject } from '../../src/schema/json.ts';
import { joinPointer } from '../../src/text/pointer.ts';
import { command } from '../cli/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function written(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'openapi.json');
  await writeFile(file, text);
  return file;
}

const documents = [
  { name: 'spec/openapi.yaml', assumed: false, file: async () => join(packageRoot, 'spec/openapi.yaml') },
  {
    name: 'the document that banking-api spec prints',
    assumed: false,
    file: async () => written((await command(['spec', '--format', 'json'])).out),
  },
  {
    name: 'the document that the mock serves',
    assumed: true,
    async file() {
      await using mock = await startMock();
      return written(await (await mock.fetch('/__mock/contract.json')).text());
    },
  },
];

describe.each(documents)('$name', ({ assumed, file }) => {
  let path: string;
  beforeAll(async () => {
    path = await file();
  });

  test('swagger-parser accepts it', async () => {
    await expect(SwaggerParser.validate(path)).resolves.toMatchObject({ openapi: '3.1.1' });
  });

  // the engine of @redocly/cli lint
  test('Redocly finds no violation of the structure of OpenAPI', async () => {
    const config = await createConfig({ rules: { struct: 'error' } });
    const problems = await lint({ ref: path, config });
    expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
  });

  describe('served by stock Prism', async () => {
    const contract = await loadContract({ assumed });
    const located = contract.operations.filter(({ path }) => path !== null);
    let prism: Awaited<ReturnType<typeof startStockPrism>>;
    beforeAll(async () => {
      prism = await startStockPrism(path);
    });
    afterAll(() => prism.close());

    test('every located operation has a readable route', () => {
      const readable = (path: string): RegExp =>
        new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[\\w.~-]+')}(?:\\?[\\w=&]+)?$`);
      const { routes } = prism;
      expect(routes).toHaveLength(located.length);
      for (const { method, path } of located)
        expect(routes).toContainEqual({ method, path: expect.stringMatching(readable(path ?? '')) });
    });

    test.each(located.map((operation) => [operation.operationId, operation] as const))(
      'a good call of %s gets a success that our validators accept',
      async (_, operation) => {
        const { responses } = operation;
        const response = await call(prism.url, operation);
        const text = await response.text();
        expect([response.status, text]).toEqual([expect.toSatisfy(isSuccess), text]);
        const media = responses.find(({ status }) => isSuccess(status))?.content[0];
        const validator = media && validatorOf(media);
        if (validator === undefined) return;
        expect(text).not.toBe('');
        expect(validator.check(JSON.parse(text))).toMatchObject({ valid: true });
      },
    );

    function call(url: string, operation: Operation): Promise<Response> {
      const values = inventedParameters(contract, operation.operationId);
      const { target } = destinationOf(operation, values);
      const body = bodyFor(contract, operation, values, true);
      const isForm = operation.requestBody?.content[0]?.type.includes('form') === true;
      const token = operation.auth === 'issues' ? `Basic ${btoa('a:b')}` : 'Bearer any';
      return fetch(`${url}${target}`, {
        method: operation.method ?? '',
        headers: { authorization: token, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) },
        ...(body !== undefined && {
          body: isForm ? new URLSearchParams(body as Record<string, string>) : JSON.stringify(body),
        }),
      });
    }

    function validatorOf(media: Media) {
      const schema = contract.at(joinPointer(media.pointer, 'schema'));
      const name = isObject(schema) && typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
      return VALIDATORS[name ?? ''];
    }
  });
});

const isSuccess = (status: unknown): boolean => /^2/.test(String(status));
