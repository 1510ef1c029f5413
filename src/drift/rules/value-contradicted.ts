import type { SampleRule } from '../rule.ts';
import { schemaRule } from './schema-contradiction.ts';

export const valueContradicted: SampleRule = schemaRule('value-contradicted');
