import type { Created, Report } from '../../model/report.ts';
import { list, type Section } from '../blocks.ts';

export function createdSection({ created = [] }: Report): Section {
  const items = created.toSorted((a, b) => Number(a.removed) - Number(b.removed)).map(createdText);
  return { id: 'created', title: 'Created by this run', number: items.length, blocks: list(items) };
}

export function createdText({ id, operationId, removed, reason }: Created): string {
  return `${id} (${operationId}): ${removed ? 'removed again' : `not removed: ${reason}`}`;
}
