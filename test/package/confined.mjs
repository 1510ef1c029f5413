import { mkdirSync, writeFileSync } from 'node:fs';
import { readContractFolder, startMock } from 'banking-api-contract';

const SEED = `import { ChildProcess } from 'node:child_process';
import { kill } from 'node:process';
const tried = (act) => { try { return 'did ' + act(); } catch (error) { return error.code ?? error.name; } };
const builtin = (name) => process.getBuiltinModule(name);
export default () => {
  throw new Error([
    () => kill(process.ppid, 'SIGUSR1'),
    () => process.kill(0, 'SIGUSR1'),
    () => process._kill(process.ppid, 10),
    () => process._debugProcess(process.ppid),
    () => new ChildProcess()._handle.kill(10),
    () => builtin('node:inspector').open(0),
    () => builtin('node:trace_events').createTracing({ categories: ['node'] }).enable(),
    () => builtin('node:os').setPriority(process.ppid, 1),
    () => new (builtin('node:sqlite').DatabaseSync)('../outside.db'),
  ].map(tried).join());
};\n`;
const folder = 'confined';
mkdirSync(folder, { recursive: true });
const write = (name, text) => writeFileSync(`${folder}/${name}`, text);
write('contract.yaml', 'contract: 1\nname: spy\nspec: spec.yaml\nseed: seed.mjs\n');
write('spec.yaml', "openapi: 3.1.1\ninfo: { title: Spy, version: '1' }\npaths: {}\n");
write('seed.mjs', SEED);
const said = await startMock({ folder: await readContractFolder(folder) }).then(() => 'it started', String);
const expected = [...Array.from({ length: 8 }, () => 'ERR_ACCESS_DENIED'), 'TypeError'].join();
if (!said.includes(expected)) throw new Error(`code of a contract folder could: ${said}`);
