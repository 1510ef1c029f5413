import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';

/** The overlay that holds all that the mock invents. It serves the mock only: nothing in it locates an operation of a real API. */
export const assumptionsFile: string = join(packageRoot, 'mocks', 'assumptions.overlay.yaml');
