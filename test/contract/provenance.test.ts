import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bundle } from '../../src/contract/bundle.ts';
import { placeOfMark, type Tree } from '../../src/contract/document-tree.ts';
import { ownFolder } from '../../src/contract/folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { applyOverlay } from '../../src/contract/overlays/apply.ts';
import { readOverlay } from '../../src/contract/overlays/overlay.ts';
import { readStamps, stampProvenance } from '../../src/contract/overlays/stamp.ts';
import { toJson, toYaml } from '../../src/generate/serialize.ts';
import type { Json, JsonObject } from '../../src/schema/json.ts';
import { PROVENANCES } from '../../src/schema/schema-document.ts';
import { parsePointer } from '../../src/text/pointer.ts';
import { overlayOf } from '../support/overlay.ts';
import { bank, failure, folderWith, loadBank, overlay, pointersOf } from './support.ts';

const learnt = overlay(
  'observed',
  `  - target: $.components.schemas.User
    update:
      description: Seen.
      required: [address]
      properties: { age: { type: integer, default: { type: x }, examples: [{ name: y }] } }
  - target: $.paths['/users/{userId}'].get.responses
    update: { '404': { description: No such user., headers: { Rate: { schema: { type: string } } } } }
  - target: $.paths['/users/{userId}'].get
    update: { parameters: [{ $ref: '#/components/parameters/userId' }] }
`,
);

/** The value at a pointer of a document. */
function valueAt(document: Json, pointer: string): unknown {
  return (parsePointer(pointer) ?? []).reduce<unknown>(
    (value, key) => (value as Record<string, unknown>)[key],
    document,
  );
}

describe('stamps', () => {
  test('stamps are in each object that can contain them, and state its provenance', async () => {
    const stamped = stampProvenance(await loadBank(learnt));
    const says = (pointer: string): unknown => valueAt(stamped, `${pointer}/x-provenance`);
    expect(says('')).toBe('documented');
    expect(says('/components/schemas/User')).toBe('documented');
    expect(says('/components/schemas/User/properties/name')).toBe('documented');
    expect(says('/components/schemas/User/properties/age')).toBe('observed');
    expect(says('/paths/~1users~1{userId}/get/responses/404')).toBe('observed');
  });

  test('a part that cannot contain a stamp is listed by pointer in its parent object', async () => {
    const stamped = stampProvenance(await loadBank(learnt));
    const parts = (pointer: string): unknown => valueAt(stamped, `${pointer}/x-provenance-parts`);
    expect(parts('/components/schemas/User')).toEqual({ '/description': 'observed', '/required/1': 'observed' });
    expect(parts('/paths/~1users~1{userId}/get')).toEqual({ '/parameters': 'observed' });
  });

  test('examples, defaults, enums, maps of names, extensions and references are not stamped', async () => {
    const contract = await loadBank(learnt);
    const stamped = JSON.parse(toJson(stampProvenance(contract))) as Json;
    const holders = [...pointersOf(stamped)]
      .filter(([pointer]) => pointer.endsWith('/x-provenance'))
      .map(([pointer]) => pointer.slice(0, -13));
    expect(holders.length).toBeGreaterThan(30);
    for (const holder of holders) {
      if (holder.endsWith('/example')) continue;
      const parent = contract.at(holder) as JsonObject;
      expect(holder).not.toMatch(
        /\/(?:properties|responses|content|schemas|parameters|headers|securitySchemes|pathItems|paths)$|\/example\//,
      );
      const isSchema = holder.includes('/schema') || holder.endsWith('-schema') || holder.includes('/items');
      if ('$ref' in parent && !isSchema) throw new Error(`a stamp beside a reference: ${holder}`);
    }
    const age = contract.at('/components/schemas/User/properties/age') as JsonObject;
    const example = '/paths/~1users~1{userId}/get/responses/2XX/content/application~1json/example';
    const at = (pointer: string): unknown => valueAt(stamped, pointer);
    expect(at('/components/schemas/User/properties/age/default')).toEqual(age.default);
    expect(at('/components/schemas/User/properties/age/examples')).toEqual(age.examples);
    expect(at(example)).toEqual(contract.at(example));
    expect(at('/paths/~1users~1{userId}/get/parameters/0')).toEqual({ $ref: '#/components/parameters/userId' });
  });

  test.each(['json', 'yaml'])(
    'a stamped document (%s) gives every part the same provenance when it is read again',
    async (format) => {
      const contract = await loadContract({ overlays: ['mocks/assumptions.overlay.yaml'] });
      const stamped = stampProvenance(contract);
      const folder = await folderWith({ 'bundle.yaml': format === 'json' ? toJson(stamped) : toYaml(stamped) });
      const again = await loadContract({ root: `${folder}/bundle.yaml` });
      expect(again.document).toEqual(contract.document);
      for (const [pointer] of pointersOf(contract.document)) {
        if (again.provenanceOf(pointer) !== contract.provenanceOf(pointer))
          throw new Error(`another provenance: ${pointer}`);
      }
      // Only the package's own document may declare a POST as a read.
      const withoutEffects = contract.operations.map(({ effect: _, ...rest }) => rest);
      expect(again.operations.map(({ effect: _, ...rest }) => rest)).toEqual(withoutEffects);
    },
  );

  test('stamping does not change the contract itself', async () => {
    const contract = await loadBank(learnt);
    const before = JSON.stringify(contract.document);
    stampProvenance(contract);
    expect(JSON.stringify(contract.document)).toBe(before);
  });
});

describe('random overlays', () => {
  const name = fc.constantFrom(
    'info',
    'title',
    'components',
    'schemas',
    'User',
    'properties',
    'name',
    'type',
    'required',
    'x-a',
    '~/b',
    'constructor',
    'toString',
    '',
  );
  const tie = fc.letrec<{ value: Json }>((self) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<Json>(null, true, 1, 'string', 'text', ''),
      fc.array(self('value'), { maxLength: 3 }),
      fc.dictionary(name, self('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  const target = fc.constantFrom(
    '$',
    '$.info',
    '$.components',
    '$.components.schemas',
    '$.components.schemas.User',
    '$..properties',
    '$.components.schemas.*',
    '$..required',
    '$.components.schemas.User.properties[?@.type]',
  );
  const action = fc.oneof(
    fc.record({ target, update: tie.value }),
    fc.record({ target: target.filter((path) => path !== '$'), remove: fc.constant(true) }),
  );
  const overlays = fc.array(
    fc.record({
      provenance: fc.constantFrom(...PROVENANCES),
      actions: fc.array(action, { minLength: 1, maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  );

  test('a random overlay leaves its input unchanged or is rejected, and every result has provenance and place', async () => {
    const base = await bundle(bank, ownFolder);
    readStamps(base);
    const before = snapshot(base);
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(overlays, async (list) => {
        let tree = base;
        const trees = [base];
        for (const { provenance, actions } of list) {
          const given = { ...overlayOf(actions, provenance), file: 'any.json' };
          const document = await readOverlay(given, bank, ownFolder);
          const [kept, own] = [snapshot(tree), snapshot(document.tree)];
          let result: ReturnType<typeof applyOverlay> | undefined;
          try {
            result = applyOverlay(tree, document);
          } catch (error) {
            expect(error).toMatchObject({
              code: 'overlay-invalid',
              place: { file: 'any.json', line: expect.any(Number) },
            });
          }
          expect(snapshot(tree)).toBe(kept);
          expect(snapshot(document.tree)).toBe(own);
          if (!result) break;
          applied += 1;
          tree = result.tree;
          trees.push(tree);
        }
        for (const [pointer] of pointersOf(tree.root)) {
          const tokens = parsePointer(pointer) ?? [];
          const mark = tree.nearest(tokens);
          if (!PROVENANCES.includes(mark.provenance)) throw new Error(`no provenance: ${pointer}`);
          // A node's own mark ends with its name, or its place is in another file.
          const parent = tree.find(tokens.slice(0, -1));
          if (pointer !== '' && parent && parent.mark === mark) throw new Error(`no mark of its own: ${pointer}`);
          expect(placeOfMark(mark).line).toBeGreaterThan(0);
        }
        expect(snapshot(base)).toBe(before);
      }),
      { numRuns: 200 },
    );
    expect(applied).toBeGreaterThan(20);
  });
});

test('an unknown word in a stamped document is rejected', async () => {
  const folder = await folderWith({
    'b.yaml': "openapi: 3.1.1\ninfo: { title: T, version: '1', x-provenance: sure }\n",
  });
  expect(await failure(loadContract({ root: `${folder}/b.yaml` }))).toMatchObject({
    code: 'spec-invalid',
    place: { line: 2 },
  });
});

/** A tree with all its marks, as text. */
function snapshot(tree: Tree): string {
  const marks = [...pointersOf(tree.root)].map(([pointer]) => {
    const { at, provenance, origin } = tree.nearest(parsePointer(pointer) ?? []);
    return `${pointer} ${origin.file} ${at} ${provenance}`;
  });
  return JSON.stringify([tree.root, marks]);
}
