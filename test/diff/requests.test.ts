import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { diff } from '../../src/diff/diff.ts';
import type { Report } from '../../src/model/report.ts';
import type { Json, JsonObject } from '../../src/schema/json.ts';
import { api } from '../support/api.ts';

const folder = await mkdtemp(join(tmpdir(), 'requests-'));
afterAll(() => rm(folder, { recursive: true }));

let files = 0;

/** A document with one operation, in lines, so that a finding has one of its own. */
async function written(operation: JsonObject, path = '/orders/{id}', more: JsonObject = {}): Promise<string> {
  files += 1;
  const file = join(folder, `${files}.json`);
  const responses = { '204': { description: 'Done.' } };
  const post = { operationId: 'changeOrder', responses, ...operation };
  await writeFile(file, JSON.stringify(api({ [path]: { post } }, more), null, 1));
  return file;
}

const brief = ({ findings }: Report): string[] =>
  findings.map(
    ({ rule, severity, compatibility, pointer, expected, actual }) =>
      `${severity} ${rule} (${compatibility}) ${pointer}: ${expected} -> ${actual}`,
  );

async function found(before: JsonObject, after: JsonObject, more: JsonObject = {}): Promise<string[]> {
  const [one, other] = [await written(before, undefined, more), await written(after, undefined, more)];
  expect(brief(await diff({ before: one, after: one }))).toEqual([]);
  return brief(await diff({ before: one, after: other }));
}

const narrowed = (change: string): string => `error request-narrowed (breaking) ${change}`;
const widened = (change: string): string => `info request-widened (additive) ${change}`;
const changed = (change: string): string => `warning request-changed (unknown) ${change}`;

describe('diff of two documents compares the parameters of requests', () => {
  const query = (schema: Json, more: JsonObject = {}): JsonObject => ({
    parameters: [{ name: 'limit', in: 'query', schema, ...more }],
  });
  const none: JsonObject = { parameters: [] };
  const INTEGER = { type: 'integer' };

  test.each<[string, JsonObject, JsonObject, string[]]>([
    [
      'a new required one',
      none,
      query(INTEGER, { required: true }),
      [narrowed('/query/limit: no such parameter -> required')],
    ],
    ['a new optional one', none, query(INTEGER), [widened('/query/limit: no such parameter -> optional')]],
    ['a removed one', query(INTEGER), none, [narrowed('/query/limit: optional -> no such parameter')]],
    [
      'one that became required',
      query(INTEGER),
      query(INTEGER, { required: true }),
      [narrowed('/query/limit: optional -> required')],
    ],
    ['another type', query({ type: 'string' }), query(INTEGER), [narrowed('/query/limit: string -> integer')]],
    [
      'a text in place of a number',
      query(INTEGER),
      query({ type: 'string' }),
      [widened('/query/limit: integer -> string')],
    ],
    [
      'numbers among the words of an enum',
      query({ enum: [1, 2] }),
      query({ enum: ['1', '2', '3'] }),
      [widened('/query/limit: one of 1, 2 -> one of "1", "2", "3"')],
    ],
    [
      'an enum',
      query({ type: 'string' }),
      query({ type: 'string', enum: ['on'] }),
      [narrowed('/query/limit: string -> one of "on"')],
    ],
    [
      'a bound',
      query({ ...INTEGER, maximum: 9 }),
      query({ ...INTEGER, maximum: 5 }),
      [narrowed('/query/limit: maximum 9 -> maximum 5')],
    ],
    [
      'a type where none was stated',
      query({}),
      query(INTEGER),
      [narrowed('/query/limit: any value, number -> integer')],
    ],
    [
      'another style',
      query({ type: 'array' }),
      query({ type: 'array' }, { explode: false }),
      [narrowed('/query/limit: style form, exploded -> style form')],
    ],
    [
      'another pattern',
      query({ pattern: '^A' }),
      query({ pattern: '^B' }),
      [changed('/query/limit: pattern ^A -> pattern ^B')],
    ],
    [
      'a header name in other letters',
      { parameters: [{ name: 'X-Request', in: 'header', schema: {} }] },
      { parameters: [{ name: 'x-request', in: 'header', schema: {} }] },
      [],
    ],
  ])('%s', async (_, before, after, wanted) => {
    expect(await found(before, after)).toEqual(wanted);
  });

  test('a parameter of a path is identified by its position', async () => {
    const id = (name: string, type: string) => ({
      parameters: [{ name, in: 'path', required: true, schema: { type } }],
    });
    const before = await written(id('id', 'string'), '/orders/{id}');
    const after = await written(id('order', 'integer'), '/orders/{order}');
    expect(brief(await diff({ before, after }))).toEqual([narrowed('/path/id: string -> integer')]);
  });
});

describe('diff of two documents compares the bodies of requests', () => {
  const body = (schema: Json, more: JsonObject = {}): JsonObject => ({
    requestBody: { content: { 'application/json': { schema } }, ...more },
  });
  const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties,
    ...more,
  });
  const types = (...all: string[]): JsonObject => ({
    requestBody: { content: Object.fromEntries(all.map((type) => [type, {}])) },
  });
  const A = { a: { type: 'string' } };
  const readOnly = { a: { type: 'string', readOnly: true } };

  test.each<[string, JsonObject, JsonObject, string[]]>([
    [
      'a member that became required',
      body(object(A)),
      body(object(A, { required: ['a'] })),
      [narrowed('/body/a: optional -> required')],
    ],
    [
      'a new optional member',
      body(object(A)),
      body(object({ ...A, b: { type: 'integer' } })),
      [widened('/body/b: any value -> integer')],
    ],
    [
      'a narrower type',
      body(object({ a: { type: ['string', 'null'] } })),
      body(object(A)),
      [narrowed('/body/a: string or null -> string')],
    ],
    [
      'a closed object',
      body(object(A)),
      body(object(A, { additionalProperties: false })),
      [narrowed('/body/*: any value -> no value')],
    ],
    ['a member that callers must not send', body(object(readOnly)), body(object(readOnly, { required: ['a'] })), []],
    ['a new required body', {}, body(true, { required: true }), [narrowed('/body: no body -> required')]],
    ['a new optional body', {}, body(true), [widened('/body: no body -> optional')]],
    ['a removed body', body(true), {}, [narrowed('/body: optional -> no body')]],
    ['an optional body', body(true, { required: true }), body(true), [widened('/body: required -> optional')]],
    [
      'a removed media type',
      types('application/json', 'text/csv'),
      types('application/json'),
      [narrowed('/body: application/json or text/csv -> application/json')],
    ],
    [
      'a range in place of a media type',
      types('application/json'),
      types('application/*'),
      [widened('/body: application/json -> application/*')],
    ],
    [
      'another encoding',
      { requestBody: { content: { 'multipart/form-data': {} } } },
      { requestBody: { content: { 'multipart/form-data': { encoding: { a: { contentType: 'text/plain' } } } } } },
      [changed('/body: encoding -> another encoding')],
    ],
  ])('%s', async (_, before, after, wanted) => {
    expect(await found(before, after)).toEqual(wanted);
  });
});

describe('diff of two documents compares the security of requests', () => {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'header', name: 'x-key' },
    basic: { type: 'http', scheme: 'basic' },
    login: { type: 'openIdConnect', openIdConnectUrl: 'https://bank.example/openid' },
  };
  const security = (...all: JsonObject[]): JsonObject => ({ security: all });

  test.each<[string, JsonObject, JsonObject, string[]]>([
    ['added credentials', {}, security({ key: [] }), [narrowed('/security: no credentials -> key')]],
    ['removed credentials', security({ key: [] }), security(), [widened('/security: key -> no credentials')]],
    [
      'another choice',
      security({ key: [] }),
      security({ key: [] }, { basic: [] }),
      [widened('/security: key -> key or basic')],
    ],
    [
      'credentials needed together',
      security({ key: [] }),
      security({ key: [], basic: [] }),
      [narrowed('/security: key -> key and basic')],
    ],
    ['another scope', security({ login: [] }), security({ login: ['write'] }), [narrowed('/security: login -> login')]],
  ])('%s', async (_, before, after, wanted) => {
    expect(await found(before, after, { components: { securitySchemes } })).toEqual(wanted);
  });
});

test('a finding about a request names the line of the earlier document, and the check fails', async () => {
  const limit = (maximum: number) => ({ parameters: [{ name: 'limit', in: 'query', schema: { maximum } }] });
  const before = await written(limit(9));
  const report = await diff({ before, after: await written(limit(5)) });
  expect(report.findings[0]).toMatchObject({ operationId: 'changeOrder', location: { file: before, line: 21 } });
  expect([report.exitCode, report.checks.map(({ outcome }) => outcome)]).toEqual([1, ['failed']]);
  const same = await diff({ before, after: before });
  expect([same.exitCode, same.checks.map(({ outcome }) => outcome)]).toEqual([0, ['passed']]);
});
