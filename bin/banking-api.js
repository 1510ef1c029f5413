#!/usr/bin/env node
// Plain old JavaScript, so that a Node that is too old can still say so.
var needed = [24, 18];
var found = process.versions.node.split('.').map(Number);
if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
  process.stderr.write(
    'banking-api needs Node ' +
      needed.join('.') +
      ' or newer; this is ' +
      process.version +
      ' (' +
      process.execPath +
      '). In a clone, npm scripts and npx run on the right one.\n',
  );
  process.exitCode = 2;
} else {
  import('../dist/src/cli/main.js');
}
