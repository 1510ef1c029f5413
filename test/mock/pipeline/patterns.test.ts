import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lintContract } from '../../../src/contract/lint/lint.ts';
import { loadContract } from '../../../src/contract/load.ts';
import { CATASTROPHIC } from '../../patterns/catastrophic.ts';
import { cpuTime } from '../../support/growth.ts';
import { POSIX } from '../../support/needs.ts';
import { overlayOf } from '../../support/overlay.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { send } from '../support/client.ts';
import { mockCommand } from '../support/command.ts';
import { mockOfFile } from '../support/started.ts';

const JSON_TYPE = 'application/json';

/** Two operations: one accepts texts of all patterns in its body, the other in its query. */
const forms = CATASTROPHIC.map(([pattern], index) => [`form${index}`, { type: 'string', pattern }] as const);
const schema = {
  type: 'object',
  properties: Object.fromEntries(forms),
  patternProperties: { '^(?:key|ke+y)+$': { type: 'string' } },
};
const responses = { '204': { description: 'taken' } };
const item = {
  post: { operationId: 'sendForms', requestBody: { content: { [JSON_TYPE]: { schema } } }, responses },
  get: {
    operationId: 'findForms',
    parameters: forms.map(([name, of]) => ({ name, in: 'query', schema: of })),
    responses,
  },
};
const overlay = overlayOf([{ target: '$.paths', update: { '/forms': item } }], 'documented');

/** Long enough to keep a backtracking engine busy beyond the test, short enough for a query. */
function hostile(fill: string, end: string): string {
  return `${fill.repeat(1_000)}${end}`;
}

const mock = await mockOfFile({ anyToken: true, stateless: true, overlays: [overlay] });

describe('a pattern of an overlay with catastrophic backtracking', () => {
  const authorization = 'Bearer any';

  test.each(CATASTROPHIC.map(([pattern, fill, end], index) => [pattern, index, hostile(fill, end)] as const))(
    'a bad text in a body or query is rejected within a second: %s',
    async (_, index, text) => {
      const started = cpuTime();
      const body = JSON.stringify({ [`form${index}`]: text });
      const headers = { authorization, 'content-type': JSON_TYPE };
      const sent = await send(mock, { method: 'POST', path: '/forms', headers, body });
      const sought = await send(mock, {
        path: `/forms?form${index}=${encodeURIComponent(text)}`,
        headers: { authorization },
      });
      expect([sent.status, sought.status]).toEqual([422, 422]);
      expect([sent.text, sought.text].every((answer) => answer.includes(`form${index}`))).toBe(true);
      // two requests: the first one loads Prism
      expect(cpuTime() - started).toBeLessThan(index === 0 ? 10_000 : 2_000);
    },
  );

  test('field names are matched in time as well', async () => {
    const body = JSON.stringify({ [`${'key'.repeat(20_000)}!`]: 1, keykeey: 1 });
    const headers = { authorization, 'content-type': JSON_TYPE };
    const { status, text } = await send(mock, { method: 'POST', path: '/forms', headers, body });
    expect([status, text.includes('keykeey')]).toEqual([422, true]);
  });

  test('a pattern that RE2 does not support is not checked, and the loader reports file, line and column', async () => {
    const text = `overlay: 1.0.0\ninfo: { title: T, version: '1' }\nactions:\n  - target: $.components.schemas\n    update:\n      Twice:\n        type: string\n        pattern: '^(\\w+)\\1$'\n`;
    const contract = await loadContract({ overlays: [{ file: 'twice.overlay.yaml', text }] });
    const problems = (await lintContract(contract)).filter(({ place }) => place.file === 'twice.overlay.yaml');
    expect(problems.map(({ rule, severity, place }) => [rule, severity, place.line])).toContainEqual([
      ...['pattern-not-judged', 'info', 8],
    ]);
    expect(contract.notices).toMatchObject([
      {
        code: 'pattern-not-judged',
        message: String.raw`The pattern ^(\w+)\1$ is not judged: it cannot be matched in one pass over a text.`,
        place: { file: 'twice.overlay.yaml', line: 8, column: 18, pointer: '/actions/0/update/Twice/pattern' },
      },
    ]);
  });
});

test('SIGTERM ends the mock at once, even during requests with texts made for its patterns', POSIX, async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'forms.overlay.yaml'), overlay.text);
  const command = await mockCommand(folder, '--any-token', '--overlay', 'forms.overlay.yaml');
  const headers = { authorization: 'Bearer any', 'content-type': JSON_TYPE };
  const asked = CATASTROPHIC.map(([, fill, end], index) => {
    const body = JSON.stringify({ [`form${index}`]: `${fill.repeat(50_000)}${end}` });
    return send(command, { method: 'POST', path: '/forms', headers, body }).catch(() => undefined);
  });
  await asked[0];
  const started = cpuTime();
  command.child.kill('SIGTERM');
  expect(await command.ended).toBe(0);
  expect(cpuTime() - started).toBeLessThan(5_000);
  await Promise.all(asked);
});
