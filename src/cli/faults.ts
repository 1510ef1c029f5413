import { ToolError } from '../errors.ts';
import { bugsUrl, tool } from '../files/tool.ts';

/** What is printed when something that is no `ToolError` gets out: a fault of ours, and how to report it. */
export function describeFault(thrown: unknown): string {
  const what = thrown instanceof Error ? (thrown.stack ?? thrown.message) : `thrown: ${String(thrown)}`;
  const where = bugsUrl === undefined ? `to the maintainers of ${tool.name}` : `at ${bugsUrl}`;
  return [
    what,
    `This is a fault of banking-api, not of your input. Please report it ${where} with the lines above, the command line ` +
      `and: ${tool.name} ${tool.version}, Node ${process.version}, ${process.platform} ${process.arch}.`,
  ].join('\n');
}

let short = false;

/** True once the system gave no more file handles: what engines began then may never end by itself. */
export function ranOutOfHandles(): boolean {
  return short;
}

/** How many causes of causes are looked at. */
const DEEPEST = 8;

/** What was thrown; where the system gave no more file handles, as the sentence that says so. What a library makes of it varies. */
export function withoutHandles(thrown: unknown): unknown {
  let cause = thrown;
  for (let depth = 0; cause instanceof Error && depth < DEEPEST; depth += 1, cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EMFILE' && code !== 'ENFILE' && !/\bE(?:M|N)FILE\b/.test(cause.message)) continue;
    short = true;
    return new ToolError('usage', 'The system gives this process no more file handles.', {
      hint: 'Raise the limit, for example with ulimit -n 1024.',
      cause: thrown,
    });
  }
  return thrown;
}
