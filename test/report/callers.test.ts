import { describe, expect, test } from 'vitest';
import { schemaCheck } from '../../src/files/schema.ts';
import type { Report } from '../../src/model/report.ts';
import { renderGithub } from '../../src/report/github.ts';
import { renderHtml } from '../../src/report/html.ts';
import { renderJson } from '../../src/report/json.ts';
import { renderJunit } from '../../src/report/junit.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { renderSarif } from '../../src/report/sarif.ts';
import { callersText } from '../../src/report/summary.ts';
import { renderText } from '../../src/report/text.ts';
import { report } from '../support/report-samples.ts';

const audited: Report = report({
  command: 'audit',
  target: { kind: 'journal', baseUrl: 'traffic.ndjson' },
  callers: [
    { name: 'node', connections: 3, exchanges: 12 },
    { name: 'curl/8.1 <b>|x|', connections: null, exchanges: 1 },
  ],
  rules: [
    { rule: 'unauthorized-not-retried', outcome: 'kept', evidence: '3 refusals seen, 3 retried' },
    { rule: 'refresh-loop', outcome: 'not-exercised', evidence: '' },
  ],
});

describe('the callers of an audit', () => {
  const formats: Record<string, (of: Report) => string> = {
    text: renderText,
    markdown: renderMarkdown,
    html: renderHtml,
    junit: renderJunit,
    sarif: renderSarif,
    github: renderGithub,
    json: renderJson,
  };
  test.each(Object.entries(formats))('are in the report as %s', (_, render) => {
    const text = render(audited);
    expect(text).toContain('node');
    expect(text).toContain('curl/8.1');
    if ([renderHtml, renderMarkdown, renderJunit].includes(render)) expect(text).not.toContain('curl/8.1 <b>');
    expect(render(report({}))).not.toMatch(/callers/i);
  });

  test('stand in the head of the text, above the score card with its evidence', () => {
    const text = renderText(audited);
    expect(text).toMatch(/callers +2: node \(3 connections, 12 exchanges\); curl\/8\.1 <b>\|x\| \(1 exchange\)/);
    expect(text).toMatch(/unauthorized-not-retried +kept +3 refusals seen, 3 retried/);
    expect(text.indexOf('callers')).toBeLessThan(text.indexOf('Rules'));
  });

  test('are told with their number, the first of them by name', () => {
    const callers = Array.from({ length: 12 }, (_, index) => ({ name: `p${index}`, connections: 1, exchanges: 2 }));
    expect(callersText({ callers })).toMatch(/^12: p0 \(1 connection, 2 exchanges\); .*; and 4 more$/);
    expect(callersText({})).toBeNull();
    expect(callersText({ callers: [] })).toBeNull();
  });

  test('keep to the schema, as does the evidence', async () => {
    const check = await schemaCheck('report');
    expect(check(JSON.parse(renderJson(audited)))).toEqual([]);
    const wrong = { ...audited, callers: [{ name: 'x', connections: 'two', exchanges: 1 }] };
    expect(check(JSON.parse(JSON.stringify(wrong)))).not.toEqual([]);
  });
});
