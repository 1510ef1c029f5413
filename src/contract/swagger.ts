import { mayRefer, visitObjects } from '../schema/structure.ts';
import { decodePercent } from '../text/decode.ts';
import { parsePointer } from '../text/pointer.ts';
import {
  childOf,
  faultAt,
  isMapping,
  type Mark,
  type MutableJson,
  type MutableObject,
  type Tree,
  textOf,
} from './document-tree.ts';
import { locatedIn } from './operations.ts';

/** Fields of the root of Swagger 2.0, with their names among the components of OpenAPI 3. */
const COMPONENTS = {
  definitions: 'schemas',
  parameters: 'parameters',
  responses: 'responses',
  securityDefinitions: 'securitySchemes',
} as const;

/** Fields of a parameter or header in Swagger 2.0 that belong to its schema. */
const SCHEMA_FIELDS = [
  ...['type', 'format', 'items', 'default', 'enum', 'pattern', 'multipleOf', 'maximum', 'exclusiveMaximum'],
  ...['minimum', 'exclusiveMinimum', 'maxLength', 'minLength', 'maxItems', 'minItems', 'uniqueItems'],
];

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

const FLOWS: Readonly<Record<string, string>> = { application: 'clientCredentials', accessCode: 'authorizationCode' };

const STYLES: Readonly<Record<string, MutableObject>> = {
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
  multi: { style: 'form', explode: true },
};

/**
 * Converts a bundle of Swagger 2.0 to OpenAPI 3.0 in place. Each node keeps the place where it was written.
 * @throws ToolError `spec-invalid` for another version of Swagger
 */
export function upgradeSwagger(tree: Tree): void {
  const { root } = tree;
  if (!isMapping(root) || root.swagger === undefined) return;
  const mark = tree.mark(root, 'swagger') ?? tree.rootMark;
  if (root.swagger !== '2.0') {
    throw faultAt(mark, `swagger: ${JSON.stringify(root.swagger)} is not 2.0.`, {
      part: 'value',
      hint: "Write swagger: '2.0', in quotes.",
    });
  }
  const types = typesIn(root);
  for (const { value, path } of locatedIn(tree)) {
    const item = childOf(root.paths, path) as MutableObject;
    upgradeOperation(tree, value, listIn(item.parameters), types);
  }
  for (const item of Object.values(isMapping(root.paths) ? root.paths : {})) {
    if (isMapping(item)) keepParameters(tree, item);
  }
  for (const response of members(root.responses)) upgradeResponse(tree, response, types.produces);
  const bodies = Object.entries(isMapping(root.parameters) ? root.parameters : {}).filter(([, one]) => isBody(one));
  if (isMapping(root.parameters)) tree.remove(root.parameters, new Set(bodies.map(([name]) => name)));
  for (const parameter of members(root.parameters)) upgradeParameter(tree, parameter);
  for (const scheme of members(root.securityDefinitions)) upgradeScheme(tree, scheme);

  const components = isMapping(root.components) ? root.components : {};
  const names = new Map<string, string>();
  for (const [field, name] of Object.entries(COMPONENTS)) {
    if (!isMapping(root[field])) continue;
    const at = tree.mark(root, field) ?? mark;
    // bundling may have added schemas of other files
    const added = isMapping(components[name]) ? components[name] : {};
    for (const [key, value] of Object.entries(added)) tree.set(root[field], key, value, tree.mark(added, key) ?? at);
    tree.set(
      components,
      name,
      renamed(tree, root[field], (key, own) => names.set(`${field}/${key}`, own)),
      at,
    );
  }
  tree.set(root, 'components', components, mark);
  tree.set(root, 'servers', serversOf(root), tree.mark(root, 'host') ?? tree.mark(root, 'basePath') ?? mark);
  tree.set(root, 'openapi', '3.0.4', mark);
  tree.remove(root, new Set([...Object.keys(COMPONENTS), 'swagger', 'host', 'basePath', 'schemes']));
  tree.remove(root, new Set(['consumes', 'produces']));
  upgradeReferences(tree, names);
}

/** The same components by names that OpenAPI 3 allows: Swagger 2.0 also allows `Page«Bird»`. */
function renamed(tree: Tree, components: MutableObject, rename: (from: string, to: string) => void): MutableObject {
  const made: MutableObject = {};
  for (const [key, value] of Object.entries(components)) {
    const plain = key.replaceAll(/[^\w.-]+/g, '_');
    let name = plain;
    for (let number = 2; name !== key && (Object.hasOwn(components, name) || Object.hasOwn(made, name)); number += 1)
      name = `${plain}${number}`;
    if (name !== key) rename(key, name);
    tree.set(made, name, value, tree.mark(components, key) ?? tree.rootMark);
  }
  return made;
}

interface Types {
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
}

function typesIn(value: MutableObject, above?: Types): Types {
  const listed = (name: keyof Types): readonly string[] => {
    const types = listIn(value[name]).map(textOf).filter(Boolean);
    return types.length > 0 ? types : (above?.[name] ?? []);
  };
  return { consumes: listed('consumes'), produces: listed('produces') };
}

function upgradeOperation(tree: Tree, operation: MutableObject, shared: readonly MutableJson[], general: Types): void {
  const { consumes, produces } = typesIn(operation, general);
  const own = listIn(operation.parameters);
  const bodies = [...own, ...shared].flatMap((one) => {
    const parameter = resolved(tree, one);
    return isBody(parameter) ? [parameter] : [];
  });
  // parameters of the operation come first, and replace those of the path
  const body = bodies.find((one) => one.in === 'body');
  const form = bodies.filter((one, index) => {
    return one.in === 'formData' && bodies.findIndex(({ name }) => name === one.name) === index;
  });
  const made = body ? bodyOf(tree, body, consumes) : form.length > 0 ? formOf(tree, form, consumes) : undefined;
  const at = tree.mark(operation, 'parameters') ?? tree.rootMark;
  if (made !== undefined) tree.set(operation, 'requestBody', made, at);
  keepParameters(tree, operation);
  for (const response of members(operation.responses)) upgradeResponse(tree, response, produces);
  tree.remove(operation, new Set(['consumes', 'produces', 'schemes']));
}

/** Removes bodies from the parameters of an operation or path, and converts the rest. */
function keepParameters(tree: Tree, owner: MutableObject): void {
  const list = owner.parameters;
  if (!Array.isArray(list)) return;
  tree.remove(list, new Set(list.flatMap((one, index) => (isBody(resolved(tree, one)) ? index : []))));
  for (const parameter of list) if (isMapping(parameter)) upgradeParameter(tree, parameter);
}

function bodyOf(tree: Tree, body: MutableObject, types: readonly string[]): MutableObject {
  const made: MutableObject = {};
  const mark = markIn(tree, body, 'schema');
  for (const name of ['description', 'required']) {
    if (body[name] !== undefined) tree.set(made, name, body[name], markIn(tree, body, name));
  }
  tree.set(made, 'content', contentOf(tree, types, body.schema, mark), mark);
  return made;
}

function formOf(tree: Tree, fields: readonly MutableObject[], types: readonly string[]): MutableObject {
  const hasFile = fields.some(({ type }) => type === 'file');
  const forms = types.filter((type) => FORMS.includes(type) && !(hasFile && type === FORMS[0]));
  const [schema, properties, encoding]: [MutableObject, MutableObject, MutableObject] = [{}, {}, {}];
  for (const field of fields) {
    const { description, collectionFormat } = field;
    const name = textOf(field.name);
    const mark = markIn(tree, field, 'name');
    const property = schemaOf(tree, field);
    if (description !== undefined) tree.set(property, 'description', description, markIn(tree, field, 'description'));
    tree.set(properties, name, property, mark);
    const style = STYLES[textOf(collectionFormat)] ?? (field.type === 'array' && { style: 'form', explode: false });
    if (style) encoding[name] = { ...style };
  }
  const mark = markIn(tree, fields[0] ?? {}, 'name');
  const required = fields.filter((field) => field.required === true).map(({ name }) => textOf(name));
  for (const [key, value] of Object.entries({ type: 'object', properties, ...(required.length > 0 && { required }) }))
    tree.set(schema, key, value, mark);
  const content = contentOf(tree, forms.length > 0 ? forms : [FORMS[hasFile ? 1 : 0] ?? ''], schema, mark);
  for (const media of members(content))
    if (Object.keys(encoding).length > 0) tree.set(media, 'encoding', encoding, mark);
  return { content, ...(required.length > 0 && { required: true }) };
}

function contentOf(tree: Tree, types: readonly string[], schema: MutableJson | undefined, mark: Mark): MutableObject {
  const content: MutableObject = {};
  for (const type of types.length > 0 ? types : ['application/json']) {
    const media: MutableObject = {};
    if (schema !== undefined) tree.set(media, 'schema', tree.copy(schema, tree), mark);
    tree.set(content, type, media, mark);
  }
  return content;
}

function upgradeResponse(tree: Tree, response: MutableObject, types: readonly string[]): void {
  for (const header of members(response.headers)) upgradeParameter(tree, header);
  const { schema, examples } = response;
  const examplesByType = isMapping(examples) ? Object.entries(examples).filter(([type]) => type.includes('/')) : [];
  if (schema !== undefined || examplesByType.length > 0) {
    const named = schema === undefined ? examplesByType.map(([type]) => type) : types;
    const content = contentOf(
      tree,
      named,
      schema,
      markIn(tree, response, schema === undefined ? 'examples' : 'schema'),
    );
    for (const [type, example] of examplesByType) {
      const mark = tree.mark(examples as MutableObject, type) ?? tree.rootMark;
      if (!isMapping(content[type])) tree.set(content, type, {}, mark);
      tree.set(content[type] as MutableObject, 'example', example, mark);
    }
    tree.set(response, 'content', content, markIn(tree, response, 'schema'));
  }
  tree.remove(response, new Set(['schema', 'examples']));
}

/** A parameter of a path, query or header, or a header of an answer. */
function upgradeParameter(tree: Tree, parameter: MutableObject): void {
  if (parameter.$ref !== undefined || parameter.schema !== undefined) return;
  const { type, collectionFormat } = parameter;
  const schema = schemaOf(tree, parameter);
  const style = STYLES[textOf(collectionFormat)] ?? (parameter.in === 'query' ? { style: 'form', explode: false } : {});
  const mark = markIn(tree, parameter, 'type');
  tree.remove(parameter, new Set([...SCHEMA_FIELDS, 'collectionFormat']));
  tree.set(parameter, 'schema', schema, mark);
  for (const [name, value] of type === 'array' ? Object.entries(style) : []) tree.set(parameter, name, value, mark);
}

function schemaOf(tree: Tree, parameter: MutableObject): MutableObject {
  const schema: MutableObject = {};
  for (const field of SCHEMA_FIELDS) {
    const value = parameter[field];
    if (value !== undefined) tree.set(schema, field, tree.copy(value, tree), markIn(tree, parameter, field));
  }
  return schema;
}

function upgradeScheme(tree: Tree, scheme: MutableObject): void {
  const mark = markIn(tree, scheme, 'type');
  if (scheme.type === 'basic') {
    tree.set(scheme, 'type', 'http', mark);
    tree.set(scheme, 'scheme', 'basic', mark);
  }
  if (scheme.type !== 'oauth2' || typeof scheme.flow !== 'string') return;
  const flow: MutableObject = {};
  for (const field of ['authorizationUrl', 'tokenUrl', 'scopes']) {
    if (scheme[field] !== undefined) tree.set(flow, field, scheme[field], markIn(tree, scheme, field));
  }
  const flows: MutableObject = {};
  tree.set(flows, FLOWS[scheme.flow] ?? scheme.flow, flow, mark);
  tree.remove(scheme, new Set(['flow', 'authorizationUrl', 'tokenUrl', 'scopes']));
  tree.set(scheme, 'flows', flows, mark);
}

function serversOf({ host, basePath, schemes }: MutableObject): MutableJson[] {
  const path = textOf(basePath);
  if (typeof host !== 'string') return path === '' ? [] : [{ url: path }];
  const listed = listIn(schemes).map(textOf);
  return (listed.length > 0 ? listed : ['https']).map((scheme) => ({ url: `${scheme}://${host}${path}` }));
}

/** Leads references to the new places, and rewrites the keywords of schemas that differ. */
function upgradeReferences(tree: Tree, names: ReadonlyMap<string, string>): void {
  const files: MutableObject[] = [];
  visitObjects(tree.root, (object, kind) => {
    const value = object as MutableObject;
    if (typeof value.$ref === 'string' && mayRefer(kind)) {
      value.$ref = value.$ref.replace(
        /^#\/(definitions|parameters|responses)\/([^/]*)/,
        (_, field: keyof typeof COMPONENTS, key: string) => {
          const [name = key] = parsePointer(`/${decodePercent(key) ?? key}`) ?? [];
          return `#/components/${COMPONENTS[field]}/${names.get(`${field}/${name}`) ?? key}`;
        },
      );
    }
    if (kind !== 'schema') return;
    if (value.type === 'file') files.push(value);
    if (typeof value.discriminator === 'string') value.discriminator = { propertyName: value.discriminator };
  });
  for (const schema of files) {
    tree.set(schema, 'format', 'binary', markIn(tree, schema, 'type'));
    schema.type = 'string';
  }
}

function resolved(tree: Tree, parameter: MutableJson | undefined): MutableJson | undefined {
  const name = /^#\/parameters\/(.+)$/.exec(textOf(childOf(parameter, '$ref')))?.[1];
  return name === undefined ? parameter : childOf(childOf(tree.root, 'parameters'), name);
}

function isBody(parameter: MutableJson | undefined): parameter is MutableObject {
  return isMapping(parameter) && (parameter.in === 'body' || parameter.in === 'formData');
}

function members(value: MutableJson | undefined): MutableObject[] {
  return isMapping(value) ? Object.values(value).filter(isMapping) : [];
}

function listIn(value: MutableJson | undefined): readonly MutableJson[] {
  return Array.isArray(value) ? value : [];
}

function markIn(tree: Tree, owner: MutableObject, field: string): Mark {
  return (
    tree.mark(owner, field) ??
    [...Object.keys(owner)].map((key) => tree.mark(owner, key)).find(Boolean) ??
    tree.rootMark
  );
}
