import type { SampleRule } from '../rule.ts';
import { schemaRule } from './schema-contradiction.ts';

export const typeContradicted: SampleRule = schemaRule('type-contradicted');
