import type { SampleRule } from '../rule.ts';
import { schemaRule } from './schema-contradiction.ts';

export const formatContradicted: SampleRule = schemaRule('format-contradicted');
