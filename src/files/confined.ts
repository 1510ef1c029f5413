import { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import trace from 'node:trace_events';

/**
 * Loaded first into each process that runs code of a contract folder. Node's permission model does not restrict these
 * functions. A signal opens the debugger of any Node process, and traces are written to the current folder.
 */
const { _handle: handle } = new ChildProcess() as unknown as { readonly _handle: object };
const OPEN: readonly (readonly [owner: object, names: readonly string[]])[] = [
  [process, ['kill', '_kill', '_debugProcess']],
  // up to Node 22.19, a handle without a process signals its own group
  [Object.getPrototypeOf(handle), ['kill']],
  [os, ['setPriority']],
  [trace, ['createTracing']],
];

function denied(): never {
  throw Object.assign(new Error('Access to this API has been restricted.'), { code: 'ERR_ACCESS_DENIED' });
}

for (const [owner, names] of OPEN) for (const name of names) Object.defineProperty(owner, name, { value: denied });
syncBuiltinESMExports();
