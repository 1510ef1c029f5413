import type { PlannedProblem } from '../compile/plan.ts';

const TOLD = 20;

export function messageOf({ keyword, message = keyword, params = {} }: PlannedProblem): string {
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`;
  if (keyword !== 'enum' || !Array.isArray(params.allowedValues)) return message;
  const named = params.allowedValues.slice(0, TOLD).map((value) => JSON.stringify(value));
  const more = params.allowedValues.length > TOLD ? ', …' : '';
  return `must be one of ${named.join(', ')}${more}`;
}
