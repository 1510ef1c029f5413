import { expect, test } from 'vitest';
import { renderJson } from '../../src/report/format.ts';
import { command } from '../cli/command.ts';
import { change, folderWith } from '../contract/support.ts';
import { finding, report } from '../support/report-samples.ts';

function section(markdown: string, title: string): string {
  return markdown.split('\n## ').find((part) => part.startsWith(title)) ?? '';
}

test('questions prints the gaps and assumptions of the contract, grouped for one message', async () => {
  const { code, out } = await command(['questions']);
  expect(code).toBe(0);
  expect(out).toMatch(/^# Questions about banking-api\n/);
  expect(section(out, 'Not in the reference')).toMatch(/^- response status: .*`getCard`/m);
  expect(section(out, 'Assumptions')).toMatch(
    /^- `getAccounts`: it is `GET \/wallet\/api\/customers\/\{customerId\}\/clients\/\{clientId\}\/accounts`/m,
  );
  expect(section(out, 'Answered')).toBe('');
});

test('questions moves a gap to the answered ones once a recording fills it', async () => {
  const { text } = change(
    'observed',
    `"$.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get"`,
    `{ responses: { '200': { description: Recorded, x-samples: 3, content: { application/json: { schema: { type: object, properties: { nickname: { type: string } } } } } } } }`,
  );
  const cwd = await folderWith({ 'recorded.yaml': text });
  const { out } = await command(['questions', '--overlay', 'recorded.yaml'], { cwd });
  expect(section(out, 'Answered')).toMatch(/^- response status: `getCard`$/m);
  const open = /^- response status: (.*)$/m.exec(section(out, 'Not in the reference'))?.[1]?.split(', ');
  expect(open).toContain('`deleteCard`');
  expect(open).not.toContain('`getCard`');
});

test('questions shows a refuted fact with times and request ids, and with no value of the answer', async () => {
  const refuted = finding({
    provenance: 'assumed',
    severity: 'info',
    expected: 'string',
    actual: 'number, for instance 4711',
    message: 'The answer has 4711.',
    ticket: {
      at: '2026-11-27T02:00:03.000Z',
      requestIds: { 'x-request-id': 'r-17' },
      curl: `curl 'https://bank.example/4711'`,
    },
  });
  const target = { kind: 'url', baseUrl: 'https://bank.example' } as const;
  const cwd = await folderWith({
    'nights/1.json': renderJson(report({ target, findings: [refuted] })),
    'nights/2.json': renderJson(report({ target, findings: [], verdict: 'inconclusive', exitCode: 4 })),
  });
  const { out } = await command(['questions', '--history', 'nights'], { cwd });
  const shown = section(out, 'Contradictions');
  expect(shown).toContain('- `getCard` at `/cardLimitDaily` contradicts a fact that is assumed');
  expect(shown).toContain('2026-11-27T02:00:03.000Z, x-request-id: r-17');
  expect(out).not.toContain('4711');
});

test('questions shows text of a target or contract as text, not as Markdown', async () => {
  const ticket = { at: '2026-11-27T02:00:03.000Z', requestIds: { 'x-id': '[x](javascript:1)<b>\u202e' }, curl: null };
  const target = { kind: 'url', baseUrl: 'https://bank.example' } as const;
  const cwd = await folderWith({
    'nights/1.json': renderJson(report({ target, findings: [finding({ ticket, pointer: '/`x`\n# y' })] })),
  });
  const { out } = await command(['questions', '--history', 'nights'], { cwd });
  const shown = section(out, 'Contradictions');
  expect(shown).toContain('\\[x\\](javascript:1)\\<b\\>');
  expect(shown).not.toMatch(/\u202e|^# y/m);
});
