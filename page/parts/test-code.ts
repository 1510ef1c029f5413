import { bodyText } from '../../src/journal/body-text.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { header } from '../../src/model/exchange.ts';
import { isObject } from '../../src/schema/json.ts';
import { OWN } from './snippets.ts';

export const RUNNERS = { vitest: 'vitest', playwright: '@playwright/test' } as const;

const MASK = '[redacted';

/** A test that sends the request of an exchange to a mock of its own, and expects the same kind of answer. */
export function testOf(
  { method, path, operationId, request, response }: JournalEntry,
  runner: keyof typeof RUNNERS,
): string {
  const status = response?.status ?? 0;
  const body = bodyText(request.body);
  const { lines, value: authorization } = authorizationOf(header(request.headers, 'authorization'), status);
  const headers = request.headers
    .filter(([name]) => !OWN.test(name) && name.toLowerCase() !== 'authorization')
    .map(([name, value]) => {
      // a mock whose document has API keys takes its password as each of them
      const isKey = value.startsWith(MASK) && status !== 401;
      return `    ${JSON.stringify(name)}: ${isKey ? 'mock.credentials.password' : JSON.stringify(value)},`;
    });
  if (authorization !== undefined) headers.push(`    authorization: ${authorization},`);
  const json = response?.body?.kind === 'json' ? response.body.json : undefined;
  const isMasked = `${path} ${headers.join(' ')} ${body}`.includes(MASK);
  return [
    `import { expect } from '${RUNNERS[runner]}';`,
    `import { mockTest } from 'banking-api-contract/${runner}';`,
    '',
    'const test = mockTest(); // takes the options of your mock',
    '',
    `test(${JSON.stringify(`${method} ${path} answers ${status}`)}, async ({ mock }) => {`,
    '  await mock.reset();',
    ...scenarioLines(response?.headers ?? [], request.headers, operationId, status),
    ...lines,
    ...(isMasked ? [`  // the journal masks secrets: replace them`] : []),
    `  const response = await fetch(mock.url + ${JSON.stringify(path)}, {`,
    `    method: ${JSON.stringify(method)},`,
    ...(headers.length > 0 ? ['    headers: {', ...headers.map((line) => `  ${line}`), '    },'] : []),
    ...(body === null ? [] : [`    body: ${JSON.stringify(body)},`]),
    '  });',
    `  expect(response.status).toBe(${status});`,
    ...(json === undefined ? [] : [`  expect(await response.json()).${matcherOf(json, status)};`]),
    '});',
    '',
  ].join('\n');
}

/** A token of the test's own mock. A rejected token stays a token that no mock issued. */
function authorizationOf(
  sent: string | undefined,
  status: number,
): { readonly lines: readonly string[]; readonly value?: string } {
  if (/^basic /i.test(sent ?? ''))
    return {
      lines: ['  const { username, password } = mock.credentials;'],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is part of the test
      value: '`Basic ${btoa(`${username}:${password}`)}`',
    };
  if (sent === undefined || !/^bearer /i.test(sent)) return { lines: [] };
  if (status === 401) return { lines: [], value: "'Bearer no-token-of-this-mock'" };
  return {
    lines: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
      "  const issued = await fetch(`${mock.url}/__mock/tokens`, { method: 'POST' });",
      '  const { access_token: token } = (await issued.json()) as { access_token: string };',
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
    value: '`Bearer ${token}`',
  };
}

type Headers = JournalEntry['request']['headers'];

function scenarioLines(
  answered: Headers,
  sent: Headers,
  operationId: string | null,
  status: number,
): readonly string[] {
  const active = (header(answered, 'x-mock-scenario') ?? '').split(/, */).filter(Boolean);
  // a scenario that the request names needs no other help
  if (header(sent, 'x-mock-scenario') !== undefined) return [];
  return active.map((name) =>
    name === 'answer-once'
      ? `  await mock.answerOnce(${JSON.stringify(operationId ?? '*')}, ${status});`
      : `  await mock.scenario(${JSON.stringify(name)});`,
  );
}

/** The members that a problem (RFC 9457) or an OAuth error (RFC 6749) repeats for the same mistake. */
const STEADY = ['type', 'title', 'status', 'error'];

/** Members and their types: values such as ids and times differ with each run. */
function matcherOf(json: unknown, status: number): string {
  if (Array.isArray(json)) return 'toEqual(expect.any(Array))';
  if (!isObject(json)) return `toEqual(${typed(json)})`;
  const members = Object.entries(json).flatMap(([name, value]) => {
    if (value === null) return [];
    const isSteady = status >= 400 && STEADY.includes(name) && !isObject(value);
    return [`    ${JSON.stringify(name)}: ${isSteady ? JSON.stringify(value) : typed(value)},`];
  });
  return ['toMatchObject({', ...members, '  })'].join('\n');
}

function typed(value: unknown): string {
  if (value === null) return 'null';
  const name = Array.isArray(value) ? 'array' : typeof value;
  return `expect.any(${name[0]?.toUpperCase()}${name.slice(1)})`;
}
