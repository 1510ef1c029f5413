import { expect, test } from 'vitest';
import { excerpt } from '../../src/redact/excerpt.ts';
import { createRedactor } from '../../src/redact/redact.ts';

const PASSWORD = 'correct-horse-battery';
const { text: redact } = createRedactor({ secrets: [PASSWORD] });

test('an excerpt never shows a part of a secret, wherever it is cut', () => {
  for (const before of [1, 50, 95, 99, 65_530, 70_000]) {
    const shown = excerpt(`${' '.repeat(before)}${PASSWORD} and more`, 100, redact);
    expect(shown).not.toContain('correct');
    expect(shown.length).toBeLessThanOrEqual(101);
  }
});

test('a part of a secret at the end of the masked text is not shown, even if masking shortens the text', () => {
  const long = 'a-long-secret-'.repeat(4681);
  const { text } = createRedactor({ secrets: [long, PASSWORD] });
  expect(excerpt(`${long} ${PASSWORD}`, 300, text)).not.toContain('correct');
});

test('a short text stays whole, and a cut one ends with an ellipsis', () => {
  expect(excerpt('nothing secret', 100, redact)).toBe('nothing secret');
  expect(excerpt('ab😀', 3, redact)).toBe('ab…');
});
