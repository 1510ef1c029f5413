import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { startable } from '../files/startable.ts';
import type { Terminal } from './command.ts';

export function terminalOf(signal: AbortSignal): Terminal | undefined {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true || process.env.CI) return undefined;
  return {
    async ask(question) {
      // the terminal edits the line and turns Ctrl-C into a signal, which the usual handler gets
      const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
      const ended = once(lines, 'close').then(() => null);
      try {
        return await Promise.race([lines.question(question, { signal }), ended]);
      } catch {
        return null;
      } finally {
        lines.close();
      }
    },
    async run(line) {
      const { file, args, shell } =
        line === 'again'
          ? { file: process.execPath, args: process.argv.slice(1), shell: false }
          : startable(line.program, line.args);
      // Output of an installer goes to stderr; a repeated command writes to stdout itself.
      const stdout = line === 'again' || line.program === 'npx' ? 'inherit' : process.stderr;
      const child = spawn(file, args, { shell, stdio: ['inherit', stdout, 'inherit'] });
      try {
        const [code] = (await once(child, 'close')) as [number | null];
        return code;
      } catch {
        return null;
      }
    },
  };
}
