import { describe, expect, test } from 'vitest';
import { discover } from '../../../src/run/discovery/discover.ts';
import type { VerifyOptions } from '../../../src/run/options.ts';
import { openSession } from '../../../src/run/session.ts';
import { openTarget } from '../../../src/run/target.ts';
import { birdsFolder, item, parameter, parameters, QUICK, serve } from './birds.ts';

type Paths = Readonly<Record<string, string>>;
type Bodies = Readonly<Record<string, unknown>>;

/** The values that each operation gets, the requests that found them, and the session. */
async function inputsOf(paths: Paths, bodies: Bodies, options: VerifyOptions = {}) {
  await using server = await serve(bodies);
  const given = { ...QUICK, target: server.url, folder: await birdsFolder(paths), ...options };
  await using target = await openTarget(given);
  await using opened = await openSession(target, given);
  const session = await discover(opened);
  const operations = target.contract.operations.map((one) => [one.operationId, session.target.filled(one)] as const);
  const values = Object.fromEntries(operations.filter(([, own]) => Object.keys(own).length > 0));
  const lacks = (id: string, ...names: string[]) => {
    const operation = target.contract.operation(id);
    return operation && session.inputs.whyLacking(operation, names);
  };
  return { values, seen: server.seen, found: session.inputs.found, lacks };
}

const ID = parameters(parameter('id'));
const BIRD = parameters(parameter('birdId'));
const BIRDS: Paths = { '/birds': item('listBirds'), '/birds/{birdId}': item('getBird', 'get', BIRD) };

describe('an id comes from', () => {
  test('the items of the list before it in the path', async () => {
    const { values, seen, found } = await inputsOf(BIRDS, { '/birds': [{ birdId: 'b7' }, { birdId: 'b3' }] });
    expect(values).toEqual({ getBird: { birdId: 'b3' } });
    expect(seen).toEqual(['GET /birds']);
    expect(found).toEqual([{ parameter: 'birdId', from: 'listBirds' }]);
  });

  test.each([
    ['id', { items: [{ id: 12 }], total: 1 }, '12'],
    ['a name in another case', [{ bird_id: 'b1' }], 'b1'],
    ['a list inside objects', { _embedded: { birds: [{ id: 'b1', name: 'x' }] } }, 'b1'],
  ])('an item of a list: %s', async (_, body, birdId) => {
    expect((await inputsOf(BIRDS, { '/birds': body })).values).toEqual({ getBird: { birdId } });
  });

  test('each list, if the parameter of all paths is called id', async () => {
    const paths: Paths = {
      '/birds': item('listBirds'),
      '/birds/{id}': item('getBird', 'get', ID),
      '/nests': item('listNests'),
      '/nests/{id}': item('getNest', 'get', ID),
    };
    const bodies = { '/birds': [{ id: 'b1' }], '/nests': [{ id: 'n1' }] };
    expect((await inputsOf(paths, bodies)).values).toEqual({ getBird: { id: 'b1' }, getNest: { id: 'n1' } });
  });

  test('a list of the same collection below another record', async () => {
    const paths: Paths = {
      '/keepers': item('listKeepers'),
      '/keepers/{keeperId}/birds': item('listBirds', 'get', parameters(parameter('keeperId'))),
      '/zoo/birds/{birdId}': item('getBird', 'get', BIRD),
    };
    const bodies = { '/keepers': [{ keeperId: 'k1' }], '/keepers/k1/birds': { birds: [{ id: 'b1' }] } };
    const { values, seen } = await inputsOf(paths, bodies);
    expect(values).toEqual({ listBirds: { keeperId: 'k1' }, getBird: { birdId: 'b1' } });
    expect(seen).toEqual(['GET /keepers', 'GET /keepers/k1/birds']);
  });

  test('a field with its name in another answer', async () => {
    const paths: Paths = { '/me': item('getMe'), '/birds/{birdId}': item('getBird', 'get', BIRD) };
    const { values } = await inputsOf(paths, { '/me': { name: 'Ada', pet: { birdId: 'b9' } } });
    expect(values).toEqual({ getBird: { birdId: 'b9' } });
  });

  test('an OpenAPI link', async () => {
    const link = "links: { own: { operationId: getBird, parameters: { birdId: '$response.body#/pets/0' } } }";
    const paths: Paths = {
      '/me': `{ get: { operationId: getMe, responses: { '200': { description: good, ${link} } } } }`,
      '/birds/{birdId}': item('getBird', 'get', BIRD),
    };
    const { values, found } = await inputsOf(paths, { '/me': { pets: ['b5'] } });
    expect(values).toEqual({ getBird: { birdId: 'b5' } });
    expect(found).toEqual([{ parameter: 'birdId', from: 'getMe' }]);
  });

  test('an example of the document, if no answer shows it', async () => {
    const example = parameters(parameter('birdId', 'path', 'example: b0'), parameter('page', 'query', 'example: 1'));
    const paths: Paths = { ...BIRDS, '/birds/{birdId}': item('getBird', 'get', example) };
    const { values, found } = await inputsOf(paths, { '/birds': [] });
    expect(values).toEqual({ getBird: { birdId: 'b0', page: '1' } });
    expect(found).toContainEqual({ parameter: 'birdId', from: null });
  });

  test('the configuration first, without a request', async () => {
    const { values, seen } = await inputsOf(BIRDS, { '/birds': [{ id: 'b1' }] }, { parameters: { birdId: 'own' } });
    expect([values, seen]).toEqual([{}, []]);
  });
});

test('a required query parameter is filled if its name ends in Id', async () => {
  const query = parameters(parameter('birdId', 'query'));
  const named = parameters(parameter('colour', 'query'));
  const paths: Paths = {
    '/birds': item('listBirds'),
    '/songs': item('getSongs', 'get', query),
    '/feathers': item('getFeathers', 'get', named),
  };
  const { values } = await inputsOf(paths, { '/birds': [{ id: 'b1', colour: 'red' }] });
  expect(values).toEqual({ getSongs: { birdId: 'b1' } });
});

describe('discovery never fills', () => {
  const LIST = { '/birds': [{ id: 'b1', birdId: 'b1' }] };
  test.each(['put', 'post', 'patch', 'delete'])('a %s', async (method) => {
    const paths: Paths = { '/birds': item('listBirds'), '/birds/{birdId}': item('changeBird', method, BIRD) };
    expect(await inputsOf(paths, LIST)).toMatchObject({ values: {}, seen: [] });
  });

  test('a POST that only the configuration declares a read', async () => {
    const paths: Paths = { '/birds': item('listBirds'), '/birds/{birdId}': item('findBird', 'post', BIRD) };
    const { values } = await inputsOf(paths, LIST, { effects: { findBird: 'read' }, writesAllowedOn: ['127.0.0.1'] });
    expect(values).toEqual({});
  });

  test.each(['header', 'cookie'])('a %s', async (place) => {
    const own = parameters(parameter('birdId', place, 'example: b0'));
    const paths: Paths = { '/birds': item('listBirds'), '/songs': item('getSongs', 'get', own) };
    expect((await inputsOf(paths, LIST)).values).toEqual({});
  });

  test.each([
    ['a name that redaction masks', 'iban', { iban: 'PL1', id: 'x' }],
    ['a value that redaction masks', 'birdId', { birdId: 'DE89370400440532013000' }],
    ['an empty text or a dot', 'birdId', { birdId: '..' }],
  ])('from %s', async (_, name, record) => {
    const paths: Paths = {
      '/birds': item('listBirds'),
      [`/birds/{${name}}`]: item('getBird', 'get', parameters(parameter(name))),
    };
    expect((await inputsOf(paths, { '/birds': [record] })).values).toEqual({});
  });

  test('from a member that the contract marks as secret', async () => {
    const secret =
      "responses: { '200': { description: good, content: { application/json: { schema: { type: object, properties: { birdId: { type: string, x-secret: true } } } } } } }";
    const paths: Paths = {
      '/me': `{ get: { operationId: getMe, ${secret} } }`,
      '/birds/{birdId}': item('getBird', 'get', BIRD),
    };
    expect((await inputsOf(paths, { '/me': { birdId: 'b1' } })).values).toEqual({});
  });

  test('the parent of a configured record', async () => {
    const both = parameters(parameter('keeperId'), parameter('birdId'));
    const paths: Paths = {
      '/keepers': item('listKeepers'),
      '/keepers/{keeperId}/birds/{birdId}': item('getBird', 'get', both),
    };
    const options = { parameters: { birdId: 'b1' } };
    expect((await inputsOf(paths, { '/keepers': [{ id: 'k1' }] }, options)).values).toEqual({});
  });

  test('anything with discover: false', async () => {
    expect(await inputsOf(BIRDS, LIST, { discover: false })).toMatchObject({ values: {}, seen: [] });
  });

  test('a one-word name from an answer of another kind', async () => {
    const paths: Paths = {
      '/keepers': item('listKeepers'),
      '/birds/{name}': item('getBird', 'get', parameters(parameter('name'))),
    };
    expect((await inputsOf(paths, { '/keepers': [{ name: 'Ada' }] })).values).toEqual({});
  });
});

describe('of several ids', () => {
  const identify = (value: string): string => `digest of ${value}`;
  const bodies = { '/birds': [{ id: 'b2' }, { id: 'b1' }, { id: 'b3' }] };

  test('the one of the last night is used again', async () => {
    const { values, found } = await inputsOf(BIRDS, bodies, { identify, knownIds: ['digest of b3'] });
    expect(values).toEqual({ getBird: { birdId: 'b3' } });
    expect(found).toEqual([{ parameter: 'birdId', from: 'listBirds', digest: 'digest of b3' }]);
  });

  test('the first is used if the last one is gone', async () => {
    const { values } = await inputsOf(BIRDS, bodies, { identify, knownIds: ['digest of b9'] });
    expect(values).toEqual({ getBird: { birdId: 'b1' } });
  });
});

describe('a missing id', () => {
  test('is no reason if its list is empty and always was', async () => {
    const { lacks } = await inputsOf(BIRDS, { '/birds': [] });
    expect(lacks('getBird', 'birdId')).toEqual({ kind: 'empty-list', names: ['birdId'], list: 'listBirds' });
  });

  test('names its own list if a weaker read fails', async () => {
    const paths: Paths = { ...BIRDS, '/weather': item('getWeather') };
    const { lacks, seen } = await inputsOf(paths, { '/birds': [] });
    expect(seen).toContain('GET /weather');
    expect(lacks('getBird', 'birdId')).toEqual({ kind: 'empty-list', names: ['birdId'], list: 'listBirds' });
  });

  test('names the list if the list had items before', async () => {
    const { lacks } = await inputsOf(BIRDS, { '/birds': [] }, { filledLists: ['listBirds'] });
    expect(lacks('getBird', 'birdId')).toEqual({
      kind: 'lacks-input',
      names: ['birdId'],
      list: 'listBirds',
      isEmpty: true,
    });
  });

  test('names the list if its answer is no list', async () => {
    const { lacks } = await inputsOf(BIRDS, { '/birds': { message: 'maintenance' } });
    expect(lacks('getBird', 'birdId')).toMatchObject({ kind: 'lacks-input', list: 'listBirds', isEmpty: false });
  });

  test('of a write is a plain one', async () => {
    const paths: Paths = { ...BIRDS, '/birds/{birdId}/feed': item('feedBird', 'post', BIRD) };
    const { lacks } = await inputsOf(paths, { '/birds': [] });
    expect(lacks('feedBird', 'birdId')).toEqual({ kind: 'missing-parameter', names: ['birdId'] });
  });
});

test('paths that need each other end without a value', async () => {
  const paths: Paths = {
    '/nests/{nestId}/birds': item('listBirds', 'get', parameters(parameter('nestId'))),
    '/birds/{birdId}/nests': item('listNests', 'get', BIRD),
  };
  expect(await inputsOf(paths, {})).toMatchObject({ values: {}, seen: [] });
});
