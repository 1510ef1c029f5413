import { ToolError } from '../errors.ts';
import type { MockOptions } from './mock.ts';

/** @throws ToolError `usage` for options that exclude each other. */
export function assertCompatible({ engine = 'compiled', strict, lenient, store }: MockOptions): void {
  if (!['compiled', 'prism'].includes(engine)) {
    throw new ToolError('usage', `The engine is compiled or prism, not ${JSON.stringify(engine)}.`);
  }
  if (strict && lenient) throw new ToolError('usage', 'A mock is strict or lenient, not both.');
  if (engine === 'compiled') return;
  const [name] = Object.entries({ strict, lenient, store }).find(([, value]) => value) ?? [];
  if (name === undefined) return;
  throw new ToolError(
    'usage',
    `The engine prism cannot be combined with ${name}: it validates by itself and has no state.`,
  );
}
