import { inspect } from 'node:util';
import { ToolError } from '../errors.ts';
import { bugsUrl, tool } from '../files/tool.ts';

export function describeFault(thrown: unknown): string {
  const what = thrown instanceof Error ? (thrown.stack ?? thrown.message) : `thrown: ${String(thrown)}`;
  const where = bugsUrl === null ? `to the maintainers of ${tool.name}` : `at ${bugsUrl}`;
  return [
    what,
    `This is a bug in banking-api, not in your input. Please report it ${where} with the lines above, your command line ` +
      `and: ${tool.name} ${tool.version}, Node ${process.version}, ${process.platform} ${process.arch}.`,
  ].join('\n');
}

let short = false;

export function ranOutOfHandles(): boolean {
  return short;
}

/** The thrown value, or a plain message if its cause is a lack of file handles, which libraries wrap in many ways. */
export function withoutHandles(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !/\bE(?:M|N)FILE\b/.test(inspect(thrown, { depth: 8 }))) return thrown;
  short = true;
  return new ToolError('usage', 'This process ran out of file handles.', {
    hint: 'Raise the limit, for example with ulimit -n 1024.',
    cause: thrown,
  });
}
