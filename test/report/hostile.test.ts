import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderJson } from '../../src/report/format.ts';
import { FORMAT_NAMES, FORMATS } from '../../src/report/formats.ts';
import { renderGithub } from '../../src/report/github.ts';
import { renderGitlab } from '../../src/report/gitlab.ts';
import { renderJunit } from '../../src/report/junit.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { renderSarif } from '../../src/report/sarif.ts';
import { renderText } from '../../src/report/text.ts';
import { plain } from '../../src/text/plain.ts';
import { HOSTILE, saying } from './hostile.ts';
import { parseXml, type XmlNode } from './xml.ts';

const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/** Lines that the GitHub Actions runner executes: it trims lines first, and finds the older form anywhere. */
const commandsIn = (text: string): string[] =>
  text.split(/\r\n|\n|\r/).filter((line) => /^\s*::[a-z-]+[ :]/i.test(line) || /##\w*\[/.test(line));

/** Markdown without its permitted markup. */
const proseOf = (text: string): string =>
  text
    .replace(/<!-- banking-api findings=.*-->\n$/, '')
    .replace(/<details><summary>[\w ()]*<\/summary>|<\/details>|<code>|<\/code>/g, '')
    .replaceAll('<!-- -->', '·')
    .replace(/^(`{3,})sh\n.*\n\1$/gm, '⟨⟩')
    // code spans, by the rule of CommonMark: as many backticks at its end as at its start
    .replace(/(?<![\\`])(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '⟨⟩')
    .replace(/\]\(https:\/\/unpkg\.com\/banking-api-contract@[\w.%-]*\/docs\/rules\/[^)\s]*\)/g, ']');

const elements = (node: XmlNode): XmlNode[] => [node, ...node.children.flatMap(elements)];

describe.each(HOSTILE)('H1: %j stays text', (hostile) => {
  const given = saying(hostile);

  test('hostile text stays text in a terminal', () => {
    const text = renderText(given);
    expect(text.replaceAll('\n', '')).not.toMatch(INVISIBLE);
    expect(text.split('\n').filter((line) => line.startsWith('AGREES'))).toEqual([]);
    expect(JSON.parse(renderJson(given))).toBeTypeOf('object');
  });

  test('hostile text stays text in the log of a CI system', () => {
    for (const format of FORMAT_NAMES.filter((name) => name !== 'github' && name !== 'json'))
      expect(commandsIn(FORMATS[format](given)), format).toEqual([]);
    const lines = renderGithub(given)
      .split(/\r\n|\n|\r/)
      .slice(0, -1);
    const names = ['notice', 'error', 'warning', 'warning', 'warning', 'notice', 'warning', 'warning'];
    expect(lines.map((line) => /^::(\w+) [^:]*::/.exec(line)?.[1])).toEqual(names);
    expect(lines[1]).toMatch(/^::error file=[^,]*,line=[^,]*,col=[^,]*,title=[^,:]*::/);
  });

  test('hostile text stays text in GitLab, JUnit and SARIF', () => {
    for (const { severity, ...issue } of JSON.parse(renderGitlab(given))) {
      expect(JSON.stringify(issue)).not.toMatch(INVISIBLE);
      expect(['critical', 'minor', 'info']).toContain(severity);
    }
    const all = elements(parseXml(renderJunit(given)));
    const known = ['testsuites', 'testsuite', 'testcase', 'failure', 'error', 'skipped', 'system-out'];
    expect(
      new Set(all.map(({ name }) => name)).difference(new Set([...known, 'properties', 'property', 'system-err'])),
    ).toEqual(new Set());
    expect(all.filter(({ name }) => name === 'testcase')).toHaveLength(4);
    const { results, tool } = JSON.parse(renderSarif(given)).runs[0];
    for (const { message, ruleId, ruleIndex, locations } of results) {
      const { uri } = locations[0].physicalLocation.artifactLocation;
      // a valid relative reference or a file URL, never another scheme
      expect(['root:', 'file:']).toContain(new URL(uri, 'root://x/').protocol);
      expect(uri).toMatch(/^[\w.~!$&'()*+,;=:@%/-]+$/);
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
      // no link, no placeholder, no invisible character
      expect(message.text).not.toMatch(/(?<!\\)\]\(/);
      expect(message.text.replaceAll('{{', '').replaceAll('}}', '')).not.toMatch(/[{}]/);
      expect(message.text).not.toMatch(INVISIBLE);
    }
  });

  test('hostile text stays text in Markdown', () => {
    const text = renderMarkdown(given);
    const prose = proseOf(text);
    expect(prose).not.toMatch(/<[a-z/!]/i);
    expect(prose).not.toMatch(/(?<!\\)\]\(/);
    expect(prose).not.toMatch(/@\w|https?:\/\/|www\.\w|(?<![#\\&])#\d/);
    expect(prose).not.toMatch(/(?<!\\)(?:\\\\)*`/);
    expect(text).not.toMatch(/[\p{Cf}\u2028\u2029]/u);
    const heads = text.replace(/^(`{3,})sh\n.*\n\1$/gm, '').match(/^#+ .*/gm) ?? [];
    const ours = /^(## ❌|### (?:Notes|Findings|What to do next)$|#### )/;
    expect(heads.filter((line) => !ours.test(line))).toEqual([]);
  });
});

test('plain removes control and format characters, and keeps harmless text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(plain(text))));
  const harmless = ['::1', 'a::b', 'https://[::1]:80/', '## head', 'C# [x]', 'at /a:b', 'Zürich, 東京, 😀 {a} → "b"'];
  for (const text of harmless) expect(plain(text)).toBe(text);
});
