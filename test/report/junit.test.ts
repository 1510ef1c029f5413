import { describe, expect, test } from 'vitest';
import { renderJunit } from '../../src/report/junit.ts';
import { check, finding, report } from '../support/report-samples.ts';
import { HOSTILE, saying } from './hostile.ts';
import { parseXml, type XmlNode } from './xml.ts';

const cases = (xml: string): XmlNode[] =>
  parseXml(xml).children.flatMap(({ children }) => children.filter(({ name }) => name === 'testcase'));
const child = (node: XmlNode | undefined): XmlNode | undefined => node?.children[0];

const MIXED = report({
  exitCode: 1,
  verdict: 'drift',
  findings: [finding()],
  checks: [
    check({ id: 'token.response' }),
    check({ id: 'cards.shape.getCard', outcome: 'failed', reason: 'drift' }),
    check({ id: 'cards.limits', outcome: 'inconclusive', reason: 'no answer' }),
    check({ id: 'fees.post', outcome: 'skipped', reason: 'not allowed' }),
    check({ id: 'fees.get', reason: 'answered after 503' }),
  ],
});

describe('JUnit', () => {
  test('D1: a failed check is a failure with its finding, one that could not be judged an error, never a pass or a skip', () => {
    const [token, failed, unclear, skipped, noted] = cases(renderJunit(MIXED));
    expect(child(token)).toBeUndefined();
    expect(child(failed)).toMatchObject({ name: 'failure', attributes: { type: 'type-contradicted' } });
    for (const part of ['integer (documented)', 'spec/schemas/card.yaml:12', '00000000000000a1', 'getCard']) {
      expect(child(failed)?.text).toContain(part);
    }
    expect(child(unclear)).toMatchObject({ name: 'error', attributes: { message: 'no answer', type: 'inconclusive' } });
    expect(child(skipped)).toMatchObject({ name: 'skipped', attributes: {}, text: 'not allowed' });
    expect(child(noted)).toMatchObject({ name: 'system-out', text: 'answered after 503' });
  });

  test.each(HOSTILE)('H1: %j stays text in a JUnit report', (text) => {
    const xml = renderJunit(saying(text));
    const root = parseXml(xml);
    const names = new Set(
      [root, ...root.children, ...cases(xml), ...cases(xml).flatMap(({ children }) => children)].map(
        ({ name }) => name,
      ),
    );
    for (const name of names) {
      expect(['testsuites', 'testsuite', 'testcase', 'failure', 'error', 'skipped', 'system-out']).toContain(name);
    }
    expect(cases(xml)).toHaveLength(4);
  });
});
