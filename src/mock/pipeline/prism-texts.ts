import { ToolError } from '../../errors.ts';
import { ajvPatterns } from '../../patterns/pattern.ts';
import { hasFormat } from '../../validators/formats.ts';

/** One `$schema` for each of Prism's validators. Prism treats an unknown draft like the first. */
const DRAFTS = ['', 'https://json-schema.org/draft/2019-09/schema', 'https://json-schema.org/draft/2020-12/schema'];

/**
 * Prism validates strings with validators that it does not expose. We catch each one at its first compile and give it
 * our patterns and formats, so that no string blocks the process.
 * @param found `require` that resolves like Prism's own
 */
export function boundTexts(found: NodeJS.Require): void {
  const { default: Ajv } = found('ajv/dist/core') as typeof import('ajv/dist/core.js');
  const utils = './validator/validators/utils';
  const { validateAgainstSchema } = found(utils) as {
    validateAgainstSchema(value: unknown, schema: object, coerce: boolean, context: number): unknown;
  };
  const { compile } = Ajv.prototype;
  let caught = 0;
  const withOurs = function (this: InstanceType<typeof Ajv>, ...given: unknown[]): unknown {
    this.opts.code.regExp = ajvPatterns;
    this.addFormat('url', (text: string) => hasFormat('url', text));
    caught += 1;
    return Reflect.apply(compile, this, given);
  };
  Object.assign(Ajv.prototype, { compile: withOurs });
  try {
    for (const $schema of DRAFTS) for (const coerce of [true, false]) validateAgainstSchema('', { $schema }, coerce, 0);
  } finally {
    Ajv.prototype.compile = compile;
  }
  if (caught === 0) {
    const hint = 'Install one that is tried: npm install @stoplight/prism-http@5.16.';
    throw new ToolError('engine-missing', 'This version of Prism judges texts in a way that is not known.', { hint });
  }
}
