import type { PlannedProblem } from '../compile/plan.ts';

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const BOUNDS: Readonly<Record<string, string>> = {
  '<=': 'at most',
  '>=': 'at least',
  '<': 'less than',
  '>': 'more than',
};

/** What is wrong with a value, to follow the name of its place: `is missing`, `must be text`. */
export function faultText({ keyword, message = keyword, params = {} }: PlannedProblem): string {
  const { limit, comparison } = params;
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return 'is missing';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not allowed here';
    case 'type': {
      const types = [params.type ?? []].flat().flatMap((type) => String(type).split(','));
      return `must be ${types.map((type) => TYPES[type] ?? type).join(' or ')}`;
    }
    case 'format':
      return `must be a valid ${String(params.format)}`;
    case 'pattern':
      return `must match ${String(params.pattern)}`;
    case 'multipleOf':
      return `must be a multiple of ${String(params.multipleOf)}`;
    case 'uniqueItems':
      return 'must not have the same item twice';
    case 'minLength':
    case 'maxLength':
      return sized(keyword, limit, 'character');
    case 'minItems':
    case 'maxItems':
      return sized(keyword, limit, 'item');
    case 'minProperties':
    case 'maxProperties':
      return sized(keyword, limit, 'member');
    case 'anyOf':
    case 'oneOf':
      return 'must match one of the documented forms';
    default:
      return BOUNDS[String(comparison)] === undefined
        ? message
        : `must be ${BOUNDS[String(comparison)]} ${String(limit)}`;
  }
}

function sized(keyword: string, limit: unknown, one: string): string {
  return `must have ${keyword.startsWith('min') ? 'at least' : 'at most'} ${String(limit)} ${one}${limit === 1 ? '' : 's'}`;
}
