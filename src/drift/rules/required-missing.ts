import type { SampleRule } from '../rule.ts';
import { schemaRule } from './schema-contradiction.ts';

export const requiredMissing: SampleRule = schemaRule('required-missing');
