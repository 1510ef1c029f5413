import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/schema/json.ts';
import { change, failure, loadBank, overlay } from './support.ts';

/** An overlay that adds operations to `paths`; the text is YAML, indented by six. */
function paths(provenance: string, text: string): { file: string; text: string } {
  return overlay(provenance, `  - target: $.paths\n    update:\n${text}`);
}

const list = '      /users:\n        get: { operationId: listUsers }\n';
const rename = "      '/users/{userId}/name':\n        put: { operationId: renameUser }\n";

describe('operations known by name only', () => {
  test.each(['documented', 'observed', 'assumed'] as const)(
    'an overlay that is %s gives the path of a name-only operation',
    async (provenance) => {
      const contract = await loadBank(paths(provenance, list));
      expect(contract.operation('listUsers')).toMatchObject({
        located: provenance,
        method: 'GET',
        path: '/users',
        pointer: '/paths/~1users/get',
      });
      expect(contract.operations.map(({ operationId }) => operationId)).toEqual([
        'getToken',
        'getUser',
        'getUserOld',
        'listUsers',
        'renameUser',
      ]);
      expect(contract.notices).toEqual([]);
    },
  );

  test('the operation inherits its name, reference, release, effect and tag, and they stay documented', async () => {
    const contract = await loadBank(paths('observed', list));
    expect(contract.operation('listUsers')).toMatchObject({
      summary: 'List users',
      reference: 'Users 2',
      since: '1.10.0',
      effect: 'read',
      tag: 'Users',
      notShown: ['method', 'path'],
      itemSchema: { $ref: '#/components/schemas/User' },
      auth: 'bearer',
    });
    for (const key of ['summary', 'x-reference', 'x-since', 'x-item-schema', 'tags', 'tags/0']) {
      expect(contract.provenanceOf(`/paths/~1users/get/${key}`)).toBe('documented');
    }
    expect(contract.provenanceOf('/paths/~1users/get/operationId')).toBe('observed');
    expect(contract.placeOf('/paths/~1users/get/summary').file).toMatch(/openapi\.yaml$/);
  });

  test('the operation inherits its documented parameters, unless the overlay declares them', async () => {
    const inherited = await loadBank(paths('observed', list));
    expect(inherited.at('/paths/~1users/get/parameters')).toEqual([{ name: 'visible', in: 'query', schema: {} }]);
    expect(inherited.provenanceOf('/paths/~1users/get/parameters/0/name')).toBe('documented');
    const own =
      '      /users:\n        get: { operationId: listUsers, parameters: [{ name: visible, in: query, schema: { type: boolean } }] }\n';
    const declared = await loadBank(paths('observed', own));
    expect(declared.operation('listUsers')?.parameters).toMatchObject([
      { name: 'visible', schema: { type: 'boolean' } },
    ]);
  });

  test('the operation gets the parameters of its path and the 401 of all operations', async () => {
    const contract = await loadBank(paths('observed', rename));
    const pointer = '/paths/~1users~1{userId}~1name/put';
    expect(contract.at(`${pointer}/parameters`)).toEqual([{ $ref: '#/components/parameters/userId' }]);
    expect(contract.at(`${pointer}/responses/401`)).toEqual({ $ref: '#/components/responses/Unauthorized' });
    expect(contract.provenanceOf(`${pointer}/responses/401`)).toBe('documented');
    const unknown = await loadBank(paths('observed', "      '/a/{b}':\n        get: { operationId: listUsers }\n"));
    expect(unknown.operation('listUsers')?.parameters[0]).toMatchObject({ name: 'b', in: 'path', required: true });
    expect(unknown.provenanceOf('/paths/~1a~1{b}/get/parameters/0')).toBe('observed');
    expect(unknown.provenanceOf('/paths/~1a~1{b}/get/parameters/1')).toBe('documented');
  });

  test('the operation gets its documented bodies if the overlay has no body', async () => {
    const contract = await loadBank(paths('assumed', rename));
    const operation = contract.operation('renameUser');
    expect(operation?.requestBody?.content).toMatchObject([
      { type: 'application/json', schema: { properties: { name: { type: 'string' } } } },
    ]);
    expect(operation?.responses.find(({ status }) => status === '2XX')?.content).toMatchObject([
      { type: 'application/json', schema: { $ref: '#/components/schemas/User' } },
    ]);
    expect(
      contract.provenanceOf(`${operation?.requestBody?.pointer}/content/application~1json/schema/properties/name`),
    ).toBe('documented');
  });

  test("the documented schema applies next to the overlay's schema, and each keeps its provenance", async () => {
    const own = `      '/users/{userId}/name':
        put:
          operationId: renameUser
          requestBody: { content: { application/json: { schema: { required: [name] } } } }
          responses:
            '200': { description: ok, content: { application/json: { schema: { required: [address] } } } }
            '204': { description: none }
`;
    const contract = await loadBank(paths('observed', own));
    const pointer = '/paths/~1users~1{userId}~1name/put';
    expect(contract.at(`${pointer}/requestBody/content/application~1json/schema/allOf/1`)).toEqual({
      required: ['name'],
    });
    const response = `${pointer}/responses/200/content/application~1json/schema/allOf`;
    expect(contract.at(response)).toEqual([{ $ref: '#/components/schemas/User' }, { required: ['address'] }]);
    expect(contract.provenanceOf(`${response}/0`)).toBe('documented');
    expect(contract.provenanceOf(`${response}/1`)).toBe('observed');
    expect(contract.at(`${pointer}/responses/204`)).toEqual({ description: 'none' });
    expect(contract.at(`${pointer}/responses/2XX`)).toBeUndefined();
  });

  const envelope = (schema: string): string => `      /users:
        get:
          operationId: listUsers
          responses:
            '200': { description: ok, content: { application/json: { schema: ${schema} } } }
`;
  const schemaPointer = '/paths/~1users/get/responses/200/content/application~1json/schema';
  const user: Json = { $ref: '#/components/schemas/User' };
  test.each<[name: string, schema: string, pointer: string, expected: Json]>([
    ['a bare array', '{ type: array }', '/items', user],
    [
      'an array of `items`',
      '{ type: array, items: { required: [a] } }',
      '/items',
      { allOf: [user, { required: ['a'] }] },
    ],
    ['an array of the same schema', "{ type: array, items: { $ref: '#/components/schemas/User' } }", '/items', user],
    [
      'the only array of an object',
      '{ type: object, properties: { n: { type: integer }, data: { type: array } } }',
      '/properties/data/items',
      user,
    ],
  ])('the item schema is inserted into the envelope: %s', async (_, schema, pointer, expected) => {
    const contract = await loadBank(paths('observed', envelope(schema)));
    expect(contract.at(schemaPointer + pointer)).toEqual(expected);
    expect(contract.provenanceOf(schemaPointer + pointer)).toBe('documented');
  });

  test('a shared envelope component stays unchanged elsewhere', async () => {
    const contract = await loadBank(
      change('observed', '$.components.schemas', '{ List: { type: array, items: { required: [a] } } }'),
      paths('observed', envelope("{ $ref: '#/components/schemas/List' }")),
    );
    expect(contract.at('/components/schemas/List/items')).toEqual({ required: ['a'] });
    expect(contract.at(`${schemaPointer}/items`)).toEqual({ allOf: [user, { required: ['a'] }] });
  });

  test.each(['{ type: object, properties: { a: { type: array }, b: { type: array } } }', '{ type: object }'])(
    '%s is not treated as an envelope',
    async (schema) => {
      const plain = await loadBank(paths('observed', envelope(schema)));
      expect(JSON.stringify(plain.at(schemaPointer))).not.toContain('$ref');
      expect(plain.operation('listUsers')?.itemSchema).toEqual(user);
    },
  );
});

describe('overlays that contradict each other', () => {
  const elsewhere = '      /people:\n        get: { operationId: listUsers }\n';

  test.each(['documented', 'observed'])(
    'two that are %s and give different paths for one operation are rejected, with both places',
    async (provenance) => {
      const error = await failure(
        loadBank(paths(provenance, list), { ...paths(provenance, elsewhere), file: 'second.yaml' }),
      );
      expect(error.code).toBe('overlay-invalid');
      expect(error.message).toContain('listUsers');
      expect([error.place?.file, error.message].join()).toMatch(/second\.yaml/);
      expect([error.place?.file, error.message].join()).toMatch(new RegExp(`${provenance}\\.overlay\\.yaml`));
    },
  );

  test('two assumptions with different paths are rejected', async () => {
    const error = await failure(loadBank(paths('assumed', list), paths('assumed', elsewhere)));
    expect(error.code).toBe('overlay-invalid');
  });

  test.each([
    ['after it', ['assumed', 'observed']],
    ['before it', ['observed', 'assumed']],
  ])('an assumed path yields to an overlay %s, and its other assumptions remain', async (_, order) => {
    const guess = `      /guessed:
        get:
          operationId: listUsers
          x-seed: users
          parameters: [{ name: page, in: query, schema: {} }]
          responses: { '200': { description: ok, content: { application/json: { example: [1] } } }, '500': { description: no } }
`;
    const by: Record<string, { file: string; text: string }> = {
      assumed: paths('assumed', guess),
      observed: paths('observed', elsewhere),
    };
    const contract = await loadBank(...order.map((name) => by[name] as { file: string; text: string }));
    expect(contract.operation('listUsers')).toMatchObject({ located: 'observed', path: '/people' });
    expect(contract.at('/paths/~1guessed')).toBeUndefined();
    expect(contract.at('/paths/~1people/get/x-seed')).toBe('users');
    expect(contract.provenanceOf('/paths/~1people/get/x-seed')).toBe('assumed');
    expect(contract.operation('listUsers')?.responses.map(({ status }) => status)).toEqual(['200', '401', '500']);
    expect(contract.operation('listUsers')?.parameters.map(({ name }) => name)).toEqual(['page', 'visible']);
  });

  test.each([
    ['after it', ['assumed', 'observed']],
    ['before it', ['observed', 'assumed']],
  ])(
    'an assumed operation loses its path to another operation of an overlay %s, with all its facts',
    async (_, order) => {
      const by: Record<string, { file: string; text: string }> = {
        assumed: paths('assumed', '      /users:\n        get: { operationId: listUsers, x-seed: users }\n'),
        observed: paths('observed', '      /users:\n        get: { operationId: other }\n'),
      };
      const contract = await loadBank(...order.map((name) => by[name] as { file: string; text: string }));
      expect(contract.operation('other')).toMatchObject({ located: 'observed', path: '/users' });
      expect(contract.operation('listUsers')?.located).toBeNull();
      expect(contract.at('/paths/~1users/get/x-seed')).toBeUndefined();
    },
  );

  test('an operation with a documented path cannot be moved', async () => {
    const moved = '      /moved:\n        get: { operationId: getUser }\n';
    for (const provenance of ['assumed', 'observed']) {
      const error = await failure(loadBank(paths(provenance, moved)));
      expect(error).toMatchObject({ code: 'overlay-invalid', place: { file: `${provenance}.overlay.yaml`, line: 8 } });
      expect(error.message).toMatch(/openapi\.yaml:\d+/);
    }
  });

  test('a path template that differs only in parameter names collides', async () => {
    const error = await failure(
      loadBank(paths('observed', "      '/users/{id}':\n        get: { operationId: listUsers }\n")),
    );
    expect(error.code).toBe('overlay-invalid');
    expect(error.message).toMatch(/GET \/users\/\{\}.*openapi\.yaml:\d+/);
    const other = await loadBank(paths('observed', "      '/users/{id}':\n        put: { operationId: renameUser }\n"));
    expect(other.operation('renameUser')?.path).toBe('/users/{id}');
  });
});

describe('an operation outside the reference', () => {
  test('an operation outside the reference is reported and works', async () => {
    const contract = await loadBank(
      paths(
        'observed',
        '      /extra:\n        get: { operationId: getExtra }\n        delete: { operationId: deleteExtra }\n        post: { operationId: postExtra }\n',
      ),
    );
    expect(contract.notices.map(({ code }) => code)).toEqual(Array(3).fill('unknown-operation'));
    expect(contract.notices[0]?.place).toMatchObject({ file: 'observed.overlay.yaml', line: 8 });
    const effects = ['getExtra', 'deleteExtra', 'postExtra'].map((id) => contract.operation(id)?.effect);
    expect(effects).toEqual(['read', 'destructive', 'write']);
    expect(contract.operation('getExtra')).toMatchObject({
      located: 'observed',
      auth: 'bearer',
      summary: 'getExtra',
    });
  });

  test('an operation outside the reference needs an operationId', async () => {
    const error = await failure(loadBank(paths('observed', '      /extra:\n        get: {}\n')));
    expect(error).toMatchObject({ code: 'overlay-invalid', place: { line: 8 } });
  });
});
