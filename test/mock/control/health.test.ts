import { expect, test } from 'vitest';
import { startMock } from '../../../src/mock/start-mock.ts';
import { control } from '../support/control.ts';

const text = `overlay: 1.0.0
info: { title: of a tenant, version: '1' }
x-provenance: observed
actions:
  - target: $.paths['/nowhere'].get
    update: { summary: nothing }
`;

test('health tells what was noticed of the overlays, with its place and what to do', async () => {
  await using mock = await startMock({ overlays: [{ file: 'tenant.yaml', text }] });
  expect((await control(mock, 'GET', '/health')).json()).toMatchObject({
    status: 'ok',
    problem: null,
    notices: [
      {
        code: 'overlay-target-unmatched',
        message: expect.stringContaining('/nowhere'),
        hint: expect.stringContaining('overlay'),
        file: 'tenant.yaml',
        line: 5,
      },
    ],
  });
});

test('health has no notices where no overlay was given', async () => {
  await using mock = await startMock();
  expect((await control(mock, 'GET', '/health')).json()).toMatchObject({ status: 'ok', notices: [] });
});
