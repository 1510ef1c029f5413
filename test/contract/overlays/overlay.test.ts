import { describe, expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/load.ts';
import { bank, change, failure, folderWith, loadBank, overlay } from '../support.ts';

const at = (line: number, file = 'observed.overlay.yaml'): object => ({
  place: { file: expect.stringMatching(file), line },
});

describe('merging as in the Overlay Specification', () => {
  test('objects are merged, new members are added, plain values are replaced', async () => {
    const contract = await loadBank(
      change('documented', '$.components.schemas', '{ Extra: { type: object, title: One } }'),
      change('documented', '$.components.schemas.Extra', '{ title: Two, properties: { a: { type: string } } }'),
    );
    expect(contract.at('/components/schemas/Extra')).toEqual({
      type: 'object',
      title: 'Two',
      properties: { a: { type: 'string' } },
    });
  });

  test('arrays are appended, as targets and inside merged objects', async () => {
    const contract = await loadBank(
      change('observed', "$.paths['/users/{userId}/old'].get.parameters", '{ name: page, in: query, schema: {} }'),
      change(
        'observed',
        "$.paths['/users/{userId}/old'].get",
        '{ parameters: [{ name: size, in: query, schema: {} }] }',
      ),
      change('observed', "$.paths['/users/{userId}/old'].get.parameters", '[{ name: sort, in: query, schema: {} }]'),
    );
    expect(contract.operation('getUserOld')?.parameters.map(({ name }) => name)).toEqual([
      'userId',
      'verbose',
      'page',
      'size',
      'sort',
    ]);
  });

  test('a repeated entry of a set is not duplicated', async () => {
    const contract = await loadBank(change('observed', '$.components.schemas.User', '{ required: [name, address] }'));
    expect(contract.at('/components/schemas/User/required')).toEqual(['name', 'address']);
    expect(contract.provenanceOf('/components/schemas/User/required/0')).toBe('documented');
    expect(contract.provenanceOf('/components/schemas/User/required/1')).toBe('observed');
  });

  test('an update changes every selected node, and remove wins over update', async () => {
    const contract = await loadBank(
      change('observed', '$.paths.*.get', '{ x-rate: 1 }'),
      overlay(
        'observed',
        '  - target: $.components.schemas.User.properties[?@.x-since]\n    remove: true\n    update: { title: no }\n',
      ),
    );
    expect(contract.at('/paths/~1users~1{userId}/get/x-rate')).toBe(1);
    expect(contract.at('/paths/~1users~1{userId}~1old/get/x-rate')).toBe(1);
    expect(contract.at('/components/schemas/User/properties')).toEqual({
      name: { type: 'string' },
      address: expect.anything(),
    });
  });

  test('several array entries are removed at once, and the rest keep their source places', async () => {
    const contract = await loadBank(
      overlay(
        'observed',
        '  - target: $.components.schemas\n    update:\n      E:\n        oneOf:\n          - { title: a }\n          - { title: b }\n          - { title: c }\n',
      ),
      overlay('documented', '  - target: $.components.schemas.E.oneOf[0:2]\n    remove: true\n'),
    );
    expect(contract.at('/components/schemas/E/oneOf')).toEqual([{ title: 'c' }]);
    expect(contract.placeOf('/components/schemas/E/oneOf/0')).toMatchObject({
      file: 'observed.overlay.yaml',
      line: 11,
    });
  });

  test('actions run in order: a removed node can be created again', async () => {
    const contract = await loadBank(
      overlay(
        'observed',
        '  - target: $.components.responses.Unauthorized\n    remove: true\n  - target: $.components.responses\n    update: { Unauthorized: { description: New. } }\n',
      ),
    );
    expect(contract.at('/components/responses/Unauthorized')).toEqual({ description: 'New.' });
  });

  test('a target without a match changes nothing and is reported with its place', async () => {
    const contract = await loadBank(change('observed', '$.paths.nowhere', '{ a: 1 }'));
    expect(contract.document).toEqual((await loadBank()).document);
    expect(contract.notices).toEqual([
      {
        code: 'overlay-target-unmatched',
        message: 'The target $.paths.nowhere matches nothing.',
        hint: 'If another overlay adds it (for example, by locating the operation), pass that overlay first.',
        place: { file: 'observed.overlay.yaml', line: 5, column: 13, pointer: '/actions/0/target' },
      },
    ]);
  });

  test('a target that only a later overlay adds is reported as too early', async () => {
    const { notices } = await loadBank(
      change('observed', '$.paths["/later"]', '{ summary: x }'),
      change('documented', '$.paths', '{ /later: { parameters: [] } }'),
    );
    expect(notices.map(({ code, message, hint }) => [code, message, hint])).toContainEqual([
      'overlay-target-unmatched',
      'The target $.paths["/later"] matches nothing yet: a later overlay adds it.',
      'Give that one before this one.',
    ]);
  });

  test('an inherited property cannot be selected', async () => {
    const contract = await loadBank(
      overlay(
        'observed',
        "  - target: $['constructor']\n    update: { a: 1 }\n  - target: $.info['__proto__']\n    update: { polluted: 1 }\n",
      ),
    );
    expect(contract.notices.map(({ code }) => code)).toEqual(['overlay-target-unmatched', 'overlay-target-unmatched']);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('the provenance of facts', () => {
  test('additions of an overlay get its provenance and place, and all other facts stay documented', async () => {
    const contract = await loadBank(
      overlay(
        'observed',
        '  - target: $.components.schemas.User.properties\n    update:\n      age: { type: integer }\n',
      ),
    );
    expect(contract.provenanceOf('/components/schemas/User/properties/age')).toBe('observed');
    expect(contract.provenanceOf('/components/schemas/User/properties/age/type')).toBe('observed');
    expect(contract.placeOf('/components/schemas/User/properties/age/type')).toEqual({
      file: 'observed.overlay.yaml',
      line: 7,
      column: 14,
      pointer: '/actions/0/update/age/type',
    });
    expect(contract.provenanceOf('/components/schemas/User/properties')).toBe('documented');
    expect(contract.provenanceOf('/components/schemas/User/properties/name/type')).toBe('documented');
  });

  test('an overlay without a provenance counts as documented', async () => {
    const text =
      "overlay: 1.0.3\ninfo: { title: T, version: '1' }\nactions:\n  - target: $.info\n    update: { x-known: true }\n";
    const contract = await loadBank({ file: 'tenant.yaml', text });
    expect(contract.provenanceOf('/info/x-known')).toBe('documented');
  });

  test("a change of a documented fact is reported and gets the overlay's provenance", async () => {
    const contract = await loadBank(
      change('observed', '$.components.schemas.User.properties.name', '{ type: integer }'),
    );
    expect(contract.notices).toMatchObject([{ code: 'overlay-changes-documented', ...at(6) }]);
    expect(contract.notices[0]?.message).toContain('/components/schemas/User/properties/name/type');
    expect(contract.at('/components/schemas/User/properties/name/type')).toBe('integer');
    expect(contract.provenanceOf('/components/schemas/User/properties/name/type')).toBe('observed');
    expect(contract.provenanceOf('/components/schemas/User/properties/name')).toBe('documented');
  });

  test('the removal of a documented fact is reported; repeating the fact is not a change', async () => {
    const removed = await loadBank(
      overlay('observed', '  - target: $.components.schemas.User.properties.name\n    remove: true\n'),
    );
    expect(removed.notices).toMatchObject([{ code: 'overlay-changes-documented', ...at(5) }]);
    const again = await loadBank(change('observed', '$.components.schemas.User.properties.name', '{ type: string }'));
    expect(again.notices).toEqual([]);
    expect(again.provenanceOf('/components/schemas/User/properties/name/type')).toBe('documented');
  });

  test('an overlay may change facts of an earlier overlay without a notice', async () => {
    const add = '  - target: $.components.schemas\n    update: { Extra: { title: One } }\n';
    const contract = await loadBank(
      overlay('assumed', add),
      change('observed', '$.components.schemas.Extra', '{ title: Two }'),
    );
    expect(contract.notices).toEqual([]);
    expect(contract.provenanceOf('/components/schemas/Extra/title')).toBe('observed');
    expect(contract.provenanceOf('/components/schemas/Extra')).toBe('assumed');
  });

  test('an assumption that is also observed counts as observed', async () => {
    const same = '  - target: $.components.schemas\n    update: { Extra: { title: One } }\n';
    for (const order of [
      ['assumed', 'observed'],
      ['observed', 'assumed'],
    ]) {
      const contract = await loadBank(...order.map((provenance) => overlay(provenance, same)));
      expect(contract.provenanceOf('/components/schemas/Extra')).toBe('observed');
      expect(contract.provenanceOf('/components/schemas/Extra/title')).toBe('observed');
    }
  });

  test.each([
    ['changing', '  - target: $.components.schemas.User.properties.name\n    update: { type: integer }\n', 6],
    ['removing', '  - target: $.components.schemas.User.properties.name\n    remove: true\n', 5],
  ])('an assumption cannot contradict the reference by %s', async (_, actions, line) => {
    const error = await failure(loadBank(overlay('assumed', actions)));
    expect(error).toMatchObject({ code: 'overlay-invalid', exitCode: 3, ...at(line, 'assumed.overlay.yaml') });
    expect(error.message).toContain('/components/schemas/User/properties/name');
  });
});

describe('Overlay 1.1', () => {
  const newer = (actions: string, provenance = 'observed') => {
    const { file, text } = overlay(provenance, actions);
    return { file, text: text.replace('1.0.0', '1.1.0') };
  };

  test('a target may be a plain value, in an object or in an array', async () => {
    const contract = await loadBank(
      newer(
        '  - target: $.components.schemas.User.required[0]\n    update: address\n  - target: $.info[?@ == "Small bank"]\n    update: Our bank\n',
      ),
      newer("  - target: $.components.schemas.User.required[?@ == 'address']\n    remove: true\n"),
    );
    expect(contract.at('/info/title')).toBe('Our bank');
    expect(contract.provenanceOf('/info/title')).toBe('observed');
    expect(contract.at('/components/schemas/User/required')).toEqual([]);
    expect(contract.notices.map(({ code }) => code)).toContain('overlay-changes-documented');
  });

  test("copy copies one node into each target, with the overlay's provenance and line", async () => {
    const contract = await loadBank(
      newer(
        `  - target: $.components.schemas
    update: { Person: { title: Person }, Other: { required: [age] } }
  - target: $.components.schemas.Person
    copy: $.components.schemas.User
  - target: $.components.schemas.Other.required
    copy: $.components.schemas.User.required
`,
      ),
    );
    const user = contract.at('/components/schemas/User') as object;
    expect(contract.at('/components/schemas/Person')).toEqual({ title: 'Person', ...user });
    expect(contract.at('/components/schemas/Other/required')).toEqual(['age', 'name']);
    expect(contract.provenanceOf('/components/schemas/User/properties/name')).toBe('documented');
    expect(contract.provenanceOf('/components/schemas/Person/properties/name')).toBe('observed');
    expect(contract.placeOf('/components/schemas/Person/properties/name')).toMatchObject({
      file: expect.stringMatching('observed.overlay.yaml'),
      line: 8,
    });
  });

  test('copy uses the node as it was before, even if it is copied into itself', async () => {
    const contract = await loadBank(
      newer(
        '  - target: $.components.schemas.User\n    update: { x-a: { b: {} } }\n  - target: $.components.schemas.User.x-a.b\n    copy: $.components.schemas.User.x-a\n'.replaceAll(
          '.x-a',
          "['x-a']",
        ),
      ),
    );
    expect(contract.at('/components/schemas/User/x-a')).toEqual({ b: { b: {} } });
  });

  test.each([
    ['nothing to copy', '  - target: $.info\n    copy: $.nothing\n', /copy selects nothing/, 6],
    ['two nodes to copy', '  - target: $.info\n    copy: $.paths.*\n', /copy selects \d+ nodes/, 6],
    ['a copy that is not a string', '  - target: $.info\n    copy: 5\n', /must be a JSONPath/, 6],
    ['an invalid copy path', '  - target: $.info\n    copy: info\n', /copy is no JSONPath/, 6],
    ['both', '  - target: $.info\n    copy: $.paths\n    update: {}\n', /either updates or copies/, 6],
    ['an object for a plain value', '  - target: $.info.title\n    update: {}\n', /by a plain value/, 6],
    [
      'targets of different kinds',
      '  - target: $.info.*\n    update: x\n  - target: $.paths..*\n    update: x\n',
      /as well as/,
      7,
    ],
    [
      'exponential growth',
      `  - target: $.info\n    update: { x-a: [1] }\n${"  - target: $.info['x-a']\n    copy: $.info['x-a']\n".repeat(40)}`,
      /matches its own additions/,
      undefined,
    ],
  ])('%s is an error with its place', async (_, actions, message, line) => {
    const error = await failure(loadBank(newer(actions)));
    expect(error.message).toMatch(message);
    expect(error.code).toBe('overlay-invalid');
    if (line !== undefined) expect(error).toMatchObject(at(line));
  });

  test('an assumption cannot contradict the reference by a copy', async () => {
    const error = await failure(loadBank(newer('  - target: $.info.title\n    copy: $.info.version\n', 'assumed')));
    expect(error.message).toMatch(/may not contradict the reference/);
  });
});

describe('an invalid overlay is an error with file, line and column', () => {
  const info = "info: { title: T, version: '1' }\n";
  const head = `overlay: 1.0.0\n${info}`;
  const action = '  - target: $.info\n    update: { x-a: 1 }\n';
  test.each<[name: string, text: string, message: RegExp, line: number]>([
    ['no version', `${info}actions:\n${action}`, /overlay: 1\.1\.0/, 1],
    ['Overlay 1.2', `overlay: 1.2.0\n${info}actions:\n${action}`, /1\.2\.0/, 1],
    ['no info', `overlay: 1.0.0\nactions:\n${action}`, /info/, 1],
    ['a number as version', 'overlay: 1.0.0\ninfo:\n  title: T\n  version: 1.0\nactions: [{}]\n', /info\.version/, 4],
    ['no actions', head, /at least one action/, 1],
    ['empty actions', `${head}actions: []\n`, /at least one action/, 3],
    ['an action that is not an object', `${head}actions:\n  - 5\n`, /must be an object/, 4],
    ['an action without a target', `${head}actions:\n  - update: {}\n`, /target/, 4],
    ['a description that is no text', `${head}actions:\n  - target: $.info\n    description: 5\n`, /description/, 5],
    ['a misspelt field', `${head}actions:\n  - target: $.info\n    updates: {}\n`, /updates/, 5],
    ['an unknown field at the root', `${head}action: []\nactions:\n${action}`, /action/, 3],
    ['a remove that is not a boolean', `${head}actions:\n  - target: $.info\n    remove: 'yes'\n`, /true or false/, 5],
    ['an invalid JSONPath', `${head}actions:\n${action}  - target: $.paths[\n    update: {}\n`, /JSONPath/, 6],
    ['a JSONPath without a root', `${head}actions:\n  - target: info\n    update: {}\n`, /JSONPath/, 4],
    ['an unknown function in a JSONPath', `${head}actions:\n  - target: $[?foo(@)]\n    update: {}\n`, /JSONPath/, 4],
    [
      'a target that is a plain value',
      `${head}actions:\n  - target: $.info.title\n    update: other\n`,
      /neither an object nor an array/,
      4,
    ],
    [
      'an object updated by a plain value',
      `${head}actions:\n  - target: $.info\n    update: other\n`,
      /by an object/,
      5,
    ],
    [
      'an object merged with an array',
      `${head}actions:\n  - target: $\n    update: { info: [1] }\n`,
      /cannot be merged/,
      5,
    ],
    ['the removal of the whole document', `${head}actions:\n  - target: $\n    remove: true\n`, /cannot be removed/, 4],
    ['an unknown provenance', `overlay: 1.0.0\nx-provenance: guessed\n${info}actions:\n${action}`, /guessed/, 2],
    [
      'a provenance inside an update',
      `${head}actions:\n  - target: $.info\n    update: { x-provenance: assumed }\n`,
      /at the root/,
      5,
    ],
    ['another extended document', `${head}extends: ./other.yaml\nactions:\n${action}`, /other\.yaml/, 3],
    [
      'a reference out of the document',
      `${head}actions:\n  - target: $.components.parameters\n    update: { A: { $ref: ./a.yaml } }\n`,
      /stay in the document/,
      5,
    ],
    [
      'an unresolvable reference',
      `${head}actions:\n  - target: $.components.parameters\n    update: { A: { $ref: '#/nothing' } }\n`,
      /names nothing/,
      5,
    ],
    [
      'an OpenAPI version in an update',
      `${head}actions:\n  - target: $\n    update: { openapi: 4.0.0 }\n`,
      /4\.0\.0/,
      5,
    ],
    ['invalid YAML', `${head}actions: [\n`, /YAML/, 4],
    ['an empty file', '', /empty/, 1],
  ])('%s', async (_, text, message, line) => {
    const error = await failure(loadBank({ file: 'broken.overlay.yaml', text }));
    expect(error).toMatchObject({ code: 'overlay-invalid', ...at(line, 'broken.overlay.yaml') });
    expect(error.place?.column).toBeGreaterThan(0);
    expect(error.message).toMatch(message);
  });

  test('H1: control characters of a document do not reach the terminal in messages', async () => {
    const error = await failure(
      loadBank({ file: 'x.yaml', text: `${head}actions:\n  - target: "$.a\\n\\e[31m["\n    update: {}\n` }),
    );
    expect(error.message).not.toMatch(/\p{Cc}/u);
  });

  test('a missing overlay file is reported as missing', async () => {
    const error = await failure(loadContract({ root: bank, overlays: ['/nowhere/o.yaml'] }));
    expect(error).toMatchObject({ code: 'file-missing', exitCode: 2 });
  });

  test('extends may name the loaded document', async () => {
    const folder = await folderWith({
      'openapi.yaml': "openapi: 3.1.1\ninfo: { title: T, version: '1' }\n",
      'o.yaml': `${head}extends: ./openapi.yaml\nactions:\n${action}`,
    });
    const contract = await loadContract({ root: `${folder}/openapi.yaml`, overlays: [`${folder}/o.yaml`] });
    expect(contract.at('/info/x-a')).toBe(1);
  });
});
