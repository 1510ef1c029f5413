#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { nodeTooOld } from '../dist/src/node-floor.js';

const said = nodeTooOld();
if (said === undefined) import('../dist/src/cli/main.js');
else {
  const isClone = existsSync(new URL('../tsconfig.json', import.meta.url));
  process.stderr.write(`${said}${isClone ? ' npm scripts and npx run on the right one here.' : ''}\n`);
  process.exitCode = 2;
}
