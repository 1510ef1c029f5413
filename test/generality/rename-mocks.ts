import { mapEntries, type Naming } from './naming.ts';

type Node = Readonly<Record<string, unknown>>;

const same = (name: string): string => name;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands in braces and is no name of the contract. */
const WORDS: ReadonlySet<string> = new Set(['hex', 'HEX', 'digits', 'number', 'month', 'date', 'now']);

/** A text that may hold words in braces: a profile's member or a field is a name, the engine's words are not. */
function template(naming: Naming, text: string): string {
  if (!text.includes('{')) return naming.value(text);
  return naming
    .value(text)
    .replace(/\{([^{}\s]+)(?=[\s}])/g, (found, word: string) =>
      WORDS.has(word)
        ? found
        : word.startsWith('profile.')
          ? `{profile.${naming.dotted(word.slice('profile.'.length))}`
          : `{${naming.dotted(word)}`,
    );
}

/** What a field is made of: a constant, a text with words, or one of the forms with a key of their own. */
function made(naming: Naming, value: unknown): unknown {
  if (typeof value === 'string') return template(naming, value);
  if (Array.isArray(value)) return value.map((item) => made(naming, item));
  if (!isNode(value)) return value;
  if ('of' in value) {
    return mapEntries(value, same, (part, key) => (key === 'of' ? naming.of(String(part)) : members(naming, part)));
  }
  if ('oneOf' in value) return { oneOf: made(naming, value.oneOf) };
  if ('hook' in value) return mapEntries(value, same, (part, key) => (key === 'hook' ? part : made(naming, part)));
  if ('has' in value) return { has: members(naming, value.has) };
  if ('by' in value) {
    return mapEntries(
      value,
      (key) => (key === 'by' ? key : naming.value(key)),
      (part, key) => (key === 'by' ? naming.of(String(part)) : made(naming, part)),
    );
  }
  return members(naming, value);
}

/** Names, perhaps dotted, with what each is made of. */
function members(naming: Naming, value: unknown): unknown {
  return isNode(value)
    ? mapEntries(
        value,
        (name) => naming.dotted(name),
        (part) => made(naming, part),
      )
    : made(naming, value);
}

function list(naming: Naming, value: unknown): unknown {
  return Array.isArray(value) ? value.map((name) => naming.dotted(String(name))) : naming.dotted(String(value));
}

/** `mocks/entities.yaml` with every name replaced; verbs, words in braces, hooks and roles keep theirs. */
export function renameEntities(naming: Naming, entities: Node): Node {
  const parts: Readonly<Record<string, (value: never) => unknown>> = {
    kinds: (kinds: Node) =>
      mapEntries(
        kinds,
        (kind) => naming.of(kind),
        (kind) => renameKind(naming, kind as Node),
      ),
    conditions: (conditions: Node) =>
      mapEntries(
        conditions,
        (condition) => naming.of(condition),
        (condition) =>
          mapEntries(condition as Node, same, (part, key) => {
            if (key === 'refuses') return part;
            return key === 'fields' ? renameLists(naming, part as Node) : members(naming, part);
          }),
      ),
    limits: (limits: Node) =>
      mapEntries(limits, same, (name, key) => (key === 'currency' ? naming.of(String(name)) : name)),
    refusals: (refusals: Node) =>
      mapEntries(refusals, same, (refusal) =>
        mapEntries(refusal as Node, same, (part, key) => {
          if (key === 'profile') return members(naming, part);
          return key === 'guard' || key === 'field' ? naming.of(String(part)) : part;
        }),
      ),
    lists: (lists: Node) => lists,
    tenants: (word: never) => naming.of(String(word)),
    words: (words: Node) => renameLists(naming, words),
    operations: (operations: Node) =>
      mapEntries(
        operations,
        (operationId) => naming.of(operationId),
        (operation) => renameOperation(naming, operation as Node),
      ),
    roles: (roles: Node) =>
      mapEntries(roles, same, (role, key) =>
        key === 'parameters' ? naming.data(role) : mapEntries(role as Node, same, (id) => naming.data(id)),
      ),
  };
  return mapEntries(entities, same, (part, key) => {
    const rename = parts[key];
    if (rename === undefined) throw new Error(`a part of entities.yaml that nobody renames: ${key}`);
    return rename(part as never);
  });
}

/** Names, each with a list of names or of values. */
function renameLists(naming: Naming, lists: Node): unknown {
  return mapEntries(
    lists,
    (name) => naming.of(name),
    (items) => (items as string[]).map((item) => (naming.has(item) ? naming.of(item) : naming.value(item))),
  );
}

function renameKind(naming: Naming, kind: Node): Node {
  return mapEntries(kind, same, (part, key) => {
    if (key === 'emits') return naming.of(String(part));
    if (key === 'hidden' || key === 'together' || key === 'needs') return list(naming, part);
    if (key === 'becomes') {
      return mapEntries(
        part as Node,
        (name) => (name === 'at' || name === 'then' ? name : naming.dotted(name)),
        (value, name) => {
          if (name === 'then') return members(naming, value);
          return name === 'at' ? naming.dotted(String(value)) : made(naming, value);
        },
      );
    }
    return members(naming, part);
  });
}

/** A verb's object is a kind or a part of the seed, and so is what stands beside it a list of names, or members. */
function renameOperation(naming: Naming, operation: Node): Node {
  return mapEntries(operation, same, (part, key) => {
    if (key === 'refuses' || key === 'rows') return part;
    if (typeof part === 'string' || Array.isArray(part)) return list(naming, part);
    return members(naming, part);
  });
}

/** Members of a profile that are the engine's. */
const OF_THE_ENGINE: ReadonlySet<string> = new Set(['description', 'tokenLifetime']);

export function renameProfile(naming: Naming, profile: Node): Node {
  return mapEntries(
    profile,
    (name) => (OF_THE_ENGINE.has(name) || name === 'deprecatedForms' ? name : naming.of(name)),
    (value, name) =>
      name === 'deprecatedForms' ? list(naming, value) : OF_THE_ENGINE.has(name) ? value : naming.data(value),
  );
}

/** A scenario: its operations, the parameters it asks for, and the fields that it changes. */
export function renameScenario(naming: Naming, scenario: Node): Node {
  return mapEntries(scenario, same, (part, key) =>
    key === 'rules' ? (part as readonly Node[]).map((rule) => renameRule(naming, rule)) : part,
  );
}

function renameRule(naming: Naming, rule: Node): Node {
  return mapEntries(rule, same, (part, key) => {
    if (key === 'operations') return (part as string[]).map((id) => (id === '*' ? id : naming.of(id)));
    if (key === 'parameters') return naming.data(part);
    if (key === 'change') return (part as readonly Node[]).map((change) => renameChange(naming, change));
    if (key === 'answer') return mapEntries(part as Node, same, (value, name) => answerPart(naming, value, name));
    return part;
  });
}

function renameChange(naming: Naming, change: Node): Node {
  return mapEntries(change, same, (value, key) =>
    key === 'to' && !('rename' in change) ? value : naming.dotted(String(value)),
  );
}

function answerPart(naming: Naming, value: unknown, name: string): unknown {
  if (name === 'body') return naming.data(value);
  if (name === 'detail') return String(value).replace(/\/(\w+)/g, (_, field: string) => `/${naming.of(field)}`);
  if (name !== 'errors') return value;
  return (value as { pointer: string; message: string }[]).map(({ pointer, message }) => ({
    pointer: pointer.replace(/[^/]+/g, (field) => naming.of(field)),
    message,
  }));
}

/** `contract.yaml`: what a configuration may state. Ids of rules are promises and stay. */
export function renameContract(naming: Naming, contract: Node): Node {
  return mapEntries(contract, same, (part, key) =>
    key === 'facts'
      ? mapEntries(
          part as Node,
          (fact) => naming.of(fact),
          (fact) => renameFact(naming, fact as Node),
        )
      : part,
  );
}

function renameFact(naming: Naming, fact: Node): Node {
  return mapEntries(fact, same, (part, key) =>
    key === 'of'
      ? naming.of(String(part))
      : mapEntries(
          part as Node,
          (name) => naming.of(name),
          (member) =>
            mapEntries(member as Node, same, (value, word) =>
              word === 'condition' ? naming.of(String(value)) : value,
            ),
        ),
  );
}
