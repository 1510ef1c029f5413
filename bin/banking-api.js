#!/usr/bin/env node
import { nodeTooOld } from '../dist/src/node-floor.js';

const said = nodeTooOld();
if (said === undefined) import('../dist/src/cli/main.js');
else {
  process.stderr.write(`${said} In a clone, npm scripts and npx run on the right one.\n`);
  process.exitCode = 2;
}
