import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { makeRecording } from '../../src/learn/recording.ts';
import { gather } from '../../src/learn/sightings.ts';

const contract = await loadContract();
const seen = (value: unknown) => ({
  ...{ operationId: 'getCardFees', status: 200, type: 'application/json', json: { value }, empty: false },
});
const BODY = { list: [{ b: { x: 1 }, c: 1 }], code: 'C-1', "it's": 1 };
const plain = makeRecording(contract, gather([seen(BODY)])).text;

test('an unedited recording has no edits, for any line ends', () => {
  for (const over of [plain, plain.replaceAll('\n', '\r\n')]) {
    const { text, edited, edits, changes } = makeRecording(contract, gather([seen(BODY)]), { over });
    expect([text, edited, edits, changes]).toEqual([plain, false, null, []]);
  }
});

test('a comment in a recording is an edit that an overlay cannot contain', () => {
  const over = plain.replace('c: { type: integer }', 'c: { type: integer } # in cents');
  expect(over).not.toBe(plain);
  expect(makeRecording(contract, gather([seen(BODY)]), { over })).toMatchObject({
    ...{ text: plain, edited: true, edits: null },
  });
});

test('manual additions to a recording become an overlay with the same effect', async () => {
  const over = plain
    .replace('description: Observed.', 'description: Ours')
    .replace('c: { type: integer }', 'c: { type: integer, minimum: 1, x-note: asked on Monday }')
    .replace('code: { type: string }', "code: { type: string, pattern: '^C-' }")
    .replace("'it''s': { type: integer }", "'it''s': { type: integer, x-note: quoted }")
    .replace('\nx-complete', '\n  - target: $.info\n    update: { x-mine: 1 }\nx-complete');
  const { text, edited, edits } = makeRecording(contract, gather([seen(BODY)]), { over });
  expect([text, edited]).toEqual([plain, true]);
  const overlays = [
    { file: 'recording.yaml', text },
    { file: 'edits.yaml', text: edits ?? '' },
  ];
  const [separate, together] = await Promise.all([
    loadContract({ overlays }),
    loadContract({ overlays: [{ file: 'recording.yaml', text: over }] }),
  ]);
  expect(separate.document).toEqual(together.document);
  expect(separate.notices).toEqual(together.notices);
  expect(JSON.stringify(separate.document)).toContain('"minimum":1,"x-note":"asked on Monday"');
});
