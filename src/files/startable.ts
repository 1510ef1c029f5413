import process from 'node:process';

export interface Startable {
  readonly file: string;
  readonly args: readonly string[];
  readonly shell: boolean;
}

/**
 * An installed command, such as npm or npx, for `spawn`. On Windows it is a script that only a shell starts. A shell gets
 * one line, so each argument is quoted.
 */
export function startable(program: string, args: readonly string[], platform: string = process.platform): Startable {
  if (platform !== 'win32') return { file: program, args, shell: false };
  const quoted = args.map((arg) => `"${arg.replaceAll('"', '""')}"`);
  return { file: [program, ...quoted].join(' '), args: [], shell: true };
}
