import { api, folderOf } from '../support/api.ts';

export function contractOf(schemas: object, paths: object): Promise<string> {
  const jsonSchemaDialect = 'https://json-schema.org/draft/2020-12/schema';
  return folderOf(api(paths, { jsonSchemaDialect, components: { schemas } }));
}

const schema = (number: number): object => ({ $ref: `#/components/schemas/S${number}` });

/** One operation that returns the schema S0, and one that takes it. */
function weather(): object {
  const content = { 'application/json': { schema: schema(0) } };
  const get = { operationId: 'readWeather', security: [], responses: { 200: { description: 'D', content } } };
  const requestBody = { content };
  const post = { operationId: 'sendWeather', security: [], requestBody, responses: { 200: { description: 'D' } } };
  return { '/weather': { get, post } };
}

/** A contract of 40 schemas that each refer to the next one twice: expanded, a trillion schemas. */
export async function doubling(levels: number): Promise<string> {
  const schemas = Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [
      `S${level}`,
      { type: 'object', properties: { a: schema(level + 1), b: schema(level + 1) } },
    ]),
  );
  return contractOf({ ...schemas, [`S${levels}`]: { type: 'string' } }, weather());
}

/** A contract of 40 schemas that each refer to nine others in several ways, as in the documents of large APIs. */
export async function entangled(): Promise<string> {
  const count = 40;
  const schemas = Array.from({ length: count }, (_, number) => {
    const other = (step: number): object => schema((number * 7 + step * step * 3 + 1) % count);
    const links = Array.from({ length: 3 }, (__, step) => ({
      [`one${step}`]: other(step),
      [`any${step}`]: { anyOf: [{ type: 'string' }, other(step + 3)] },
      [`all${step}`]: { type: 'array', items: other(step + 6) },
    }));
    const own = { type: 'object', required: ['id'], properties: Object.assign({ id: { type: 'string' } }, ...links) };
    return [`S${number}`, number % 5 === 4 ? { allOf: [schema(number - 1), own] } : own] as const;
  });
  return contractOf(Object.fromEntries(schemas), weather());
}
