import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isDuration, isIsoDateTime } from './date-time.ts';
import { holdsIn } from './format.ts';

type Holds = (text: string) => boolean;
interface Numeric {
  readonly type: 'number';
  readonly validate: (value: number) => boolean;
}

/** Every format that is judged. */
export const FORMATS: Readonly<Record<string, Holds | Numeric>> = {
  ...Object.fromEntries(
    Object.entries(fullFormats).map(([name, format]) => {
      const isNumeric = (format as Partial<Numeric>).type === 'number';
      return [name, isNumeric ? (format as Numeric) : (text: string) => holdsIn(fullFormats, name, text)];
    }),
  ),
  'date-time': isIsoDateTime,
  duration: isDuration,
};

/** Whether a text has a format. Every text has an unknown or numeric one. */
export function hasFormat(name: string, text: string): boolean {
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  return typeof format !== 'function' || format(text);
}
