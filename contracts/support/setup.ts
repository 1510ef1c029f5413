import './pactum.ts';
import { beforeEach } from 'vitest';
import { begin } from './suite.ts';

// Contract code must not see inherited variables.
for (const name of Object.keys(process.env)) if (!/^(?:VITEST|NODE_ENV|TEST)/.test(name)) delete process.env[name];

beforeEach(begin);
