import { pathToFileURL } from 'node:url';
import { modulePath } from '../package-root.ts';

const FIRST = modulePath('src/files/confined');

/**
 * Node's arguments for a process that runs code of a contract folder. It reads only these files, and writes none. From
 * now on, a signal no longer opens the debugger of this process, which knows secrets.
 *
 * @param readable files, and folders that end in `*`
 */
export function confinedArguments(readable: readonly string[], megabytes: number): string[] {
  if (!process.listeners('SIGUSR1').includes(ignore)) process.on('SIGUSR1', ignore);
  return [
    '--permission',
    ...[...readable, FIRST].map((path) => `--allow-fs-read=${path}`),
    '--no-experimental-sqlite', // it reads and writes any file
    `--import=${pathToFileURL(FIRST)}`,
    `--max-old-space-size=${megabytes}`,
  ];
}

function ignore(): void {}
