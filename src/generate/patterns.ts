import type { Contract, Json, Notice } from '../contract/contract.ts';
import { isObject } from '../contract/schema-facts.ts';
import { type Kind, kindOfChild } from '../contract/structure.ts';
import { isFastByItself } from '../patterns/compile.ts';
import { joinPointer } from '../text/pointer.ts';

/** Patterns that can keep a generated validator busy for long. The mock and the runs use another engine for them. */
export function slowPatterns(contract: Contract): Notice[] {
  const notices: Notice[] = [];
  const warn = (pattern: string, pointer: string): void => {
    if (isFastByItself(pattern)) return;
    notices.push({
      code: 'slow-pattern',
      message: `The pattern ${pattern} may keep a generated validator busy for long, for one text that is made for it.`,
      hint: 'Give such texts a maxLength of your own before you validate them, or write it so that no character leaves a choice.',
      place: contract.placeOf(pointer),
    });
  };
  const visit = (value: Json, kind: Kind, pointer: string): void => {
    if (typeof value !== 'object' || value === null || kind === 'data') return;
    if (kind === 'schema' && isObject(value)) {
      const { pattern, patternProperties } = value;
      if (typeof pattern === 'string') warn(pattern, joinPointer(pointer, 'pattern'));
      if (isObject(patternProperties)) {
        for (const name of Object.keys(patternProperties)) warn(name, joinPointer(pointer, 'patternProperties', name));
      }
    }
    for (const [key, child] of Object.entries(value)) visit(child, kindOfChild(kind, key), joinPointer(pointer, key));
  };
  const { components } = contract.document;
  if (isObject(components)) visit(components, 'components', '/components');
  return notices;
}
