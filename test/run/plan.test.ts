import { expect, test } from 'vitest';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { plan } from '../../src/run/plan.ts';
import { folderOf } from '../support/api.ts';
import { birdsFolder, item, parameter, parameters, QUICK } from './discovery/birds.ts';

const read = (id: string, security: string): string => `
  /${id}:
    get: { operationId: ${id}, security: ${security}, responses: { 2XX: { description: good } } }`;

const SPEC = `openapi: 3.1.1
info: { title: T, version: '1' }
paths:${read('open', '[]')}${read('byName', '[{ name: [] }]')}${read('either', '[{ name: [] }, { key: [], pass: [] }]')}
components:
  securitySchemes:
    name: { type: http, scheme: basic }
    key: { type: apiKey, in: query, name: key }
    pass: { type: http, scheme: bearer }
`;

test('the plan names the documented schemes of calls that need no token', async () => {
  const dir = await folderOf(SPEC);
  const credentials = { username: 'u', password: 'p' };
  const rows = await plan({ target: 'http://127.0.0.1:1', folder: await readContractFolder(dir), credentials });
  const good = rows.filter(({ purpose }) => purpose === 'succeed');
  expect(good.map(({ operationId, auth }) => [operationId, auth])).toEqual([
    ['open', 'none'],
    ['byName', 'basic'],
    ['either', 'basic or apiKey and bearer'],
  ]);
});

test('the plan shows where each id will come from, and the reads that find it', async () => {
  const bird = parameters(parameter('birdId'));
  const folder = await birdsFolder({
    '/birds': item('listBirds'),
    '/birds/{birdId}': item('getBird', 'get', bird),
    '/birds/{birdId}/feed': item('feedBird', 'post', bird),
    '/songs': item('getSongs', 'get', parameters(parameter('birdId', 'query'))),
  });
  const rows = await plan({ ...QUICK, target: 'http://127.0.0.1:1', folder });
  expect(rows.map(({ checkId, target }) => `${checkId} ${target}`)).toEqual([
    'run.discovery /birds',
    'operations.answers.listBirds /birds',
    'operations.answers.getBird /birds/{birdId} ({birdId}: from listBirds)',
    'operations.answers.getSongs /songs?birdId={birdId} ({birdId}: from listBirds)',
  ]);
});
