import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadContract } from '../../src/contract/load.ts';
import { toJson, toYaml, writeDocument } from '../../src/generate/serialize.ts';
import { folderWith } from '../contract/support.ts';

describe('the document as text', () => {
  test('YAML and JSON parse to the same document, also as YAML 1.1', async () => {
    const { document } = await loadContract({ overlays: ['mocks/assumptions.overlay.yaml'] });
    expect(JSON.parse(toJson(document))).toEqual(document);
    expect(parse(toYaml(document))).toEqual(document);
    expect(parse(toYaml(document), { version: '1.1' })).toEqual(document);
  });

  test('text that looks like a version, number, date or boolean is quoted', () => {
    const words = '1.10|2.2.0|1.1.0|401|2026-11-21|yes|no|on|y|true|null|~|0x10|1e3|1_000|12:30|| a|#|@'.split('|');
    const text = toYaml({ words });
    expect(parse(text)).toEqual({ words });
    expect(parse(text, { version: '1.1' })).toEqual({ words });
    expect(text).toContain("'2.2.0'");
    expect(text).toContain("'1.10'");
  });

  test('keys keep their order, equal parts do not become anchors, and long lines are not folded', () => {
    const part = { b: 1, a: 2 };
    const text = toYaml({ z: part, a: part, long: 'word '.repeat(60).trim() });
    expect(text).not.toMatch(/[&*]/);
    expect(text.indexOf('z:')).toBeLessThan(text.indexOf('\na:'));
    expect(text).toContain('word '.repeat(59));
  });

  test('writeDocument writes both files without stamps', async () => {
    const folder = await folderWith({});
    const { document } = await loadContract();
    await writeDocument(`${folder}/dist`, document);
    const [json, yaml] = await Promise.all(
      ['json', 'yaml'].map((kind) => readFile(`${folder}/dist/openapi.${kind}`, 'utf8')),
    );
    expect(JSON.parse(json ?? '')).toEqual(document);
    expect(parse(yaml ?? '')).toEqual(document);
    expect(`${json}${yaml}`).not.toContain('x-provenance');
  });
});
