import { describe, describeDate } from './describe.ts';
import type { Problem } from './validator.ts';

/** What the compiled schemas report; Ajv's error object without its prose. */
export interface RawProblem {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A raw problem in our words, with the shape of what stands at its place in the value. */
export function toProblem({ instancePath, keyword, params }: RawProblem, root: unknown): Problem {
  const value = resolve(root, instancePath);
  const problem = (expected: string, actual: string): Problem => ({ pointer: instancePath, keyword, expected, actual });
  const child = (name: unknown, expected: string, actual: string): Problem => {
    return { pointer: `${instancePath}/${escapeSegment(String(name))}`, keyword, expected, actual };
  };
  switch (keyword) {
    case 'type':
      return problem([params.type].flat().join(' or '), describe(value));
    case 'required':
      return child(params.missingProperty, 'a required field', 'nothing');
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = params.additionalProperty ?? params.unevaluatedProperty;
      return child(name, 'no undocumented field', describe(field(value, String(name))));
    }
    case 'format':
      return problem(`format ${params.format}`, params.format === 'date-time' ? describeDate(value) : describe(value));
    case 'pattern':
      return problem(`text that matches ${params.pattern}`, describeDate(value));
    case 'maximum':
      return problem(`at most ${params.limit}`, 'more');
    case 'minimum':
      return problem(`at least ${params.limit}`, 'less');
    case 'enum':
      return problem(`one of ${JSON.stringify(params.allowedValues)}`, describe(value));
    case 'const':
      return problem(JSON.stringify(params.allowedValue), describe(value));
    default:
      return problem(
        `what ${keyword}${params.limit === undefined ? '' : ` ${params.limit}`} asks for`,
        describe(value),
      );
  }
}

/** The steps of a JSON pointer, array indexes as numbers. */
export function pathOf(root: unknown, pointer: string): readonly (string | number)[] {
  let at = root;
  return segmentsOf(pointer).map((segment) => {
    const step = Array.isArray(at) ? Number(segment) : segment;
    at = field(at, segment);
    return step;
  });
}

function resolve(root: unknown, pointer: string): unknown {
  return segmentsOf(pointer).reduce(field, root);
}

/** An own property of an object or array. */
function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function escapeSegment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
