import type { Contract, Notice } from '../contract/contract.ts';
import { isFastByItself } from '../patterns/compile.ts';
import { isObject } from '../schema/json.ts';
import { visitSchemas } from '../schema/structure.ts';
import { joinPointer } from '../text/pointer.ts';

/** Patterns that may make a generated validator slow. The mock and the runs use another engine for them. */
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
  visitSchemas(contract.document, ({ pattern, patternProperties }, pointer) => {
    if (typeof pattern === 'string') warn(pattern, joinPointer(pointer, 'pattern'));
    const names = isObject(patternProperties) ? Object.keys(patternProperties) : [];
    for (const name of names) warn(name, joinPointer(pointer, 'patternProperties', name));
  });
  return notices;
}
