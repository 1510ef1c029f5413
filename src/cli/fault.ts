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
