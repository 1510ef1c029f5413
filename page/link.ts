import type { Snapshot } from '../generated/mock/control.ts';
import { isObject } from '../src/schema/json.ts';
import { parseJson } from '../src/text/decode.ts';

/** Characters of a packed snapshot in an address. */
const MOST = 100_000;
/** Characters of its JSON. The mock accepts no larger body. */
const MOST_TEXT = 1024 * 1024;
const DEEPEST = 100;

/** A snapshot as text for the fragment of an address. @throws if it is too large */
export async function pack(snapshot: Snapshot): Promise<string> {
  const stream = new Blob([JSON.stringify(snapshot)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  if (text.length > MOST)
    throw new Error(
      `A link has at most 100 kB; this state needs ${Math.ceil(text.length / 1000)} kB. Save it as a seed.`,
    );
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Reads a packed snapshot of unknown origin. Only its outer form is checked. @throws if it is damaged or too large */
export async function unpack(packed: string): Promise<Required<Snapshot>> {
  if (packed.length > MOST) throw new Error('This link is larger than 100 kB. It was not opened.');
  const text = await inflate(packed).catch(() => '');
  if (text.length > MOST_TEXT) throw new Error('This link holds more than 1 MB. It was not opened.');
  const given = parseJson(text);
  const { clock = null, scenarios = [], state = {}, ...more } = isObject(given) ? given : { damaged: true };
  const isKnown =
    Object.keys(more).length === 0 &&
    (clock === null || (typeof clock === 'string' && !Number.isNaN(Date.parse(clock)))) &&
    Array.isArray(scenarios) &&
    scenarios.every(isObject) &&
    isObject(state) &&
    Object.values(state).every(isObject);
  if (!isKnown || isDeeper([scenarios, state], DEEPEST))
    throw new Error('This link is damaged. Ask its sender to copy it again.');
  return { clock, scenarios, state: state as Record<string, object> };
}

/** Stops soon after `MOST_TEXT` characters, since a small link can inflate to a thousand times its size. */
async function inflate(packed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  let text = '';
  for await (const part of inflated.pipeThrough(new TextDecoderStream('utf-8', { fatal: true }))) {
    text += part;
    if (text.length > MOST_TEXT) break;
  }
  return text;
}

function isDeeper(value: unknown, levels: number): boolean {
  return (
    Object(value) === value && (levels === 0 || Object.values(Object(value)).some((one) => isDeeper(one, levels - 1)))
  );
}
