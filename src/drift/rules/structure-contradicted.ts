import type { SampleRule } from '../rule.ts';
import { schemaRule } from './schema-contradiction.ts';

export const structureContradicted: SampleRule = schemaRule('structure-contradicted');
