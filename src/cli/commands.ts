import type { CommandRow } from './command.ts';

export const commands: readonly CommandRow[] = [
  row('mock', 'start a mock of the API', () => import('./commands/mock.ts')),
  row('init', 'write configuration, recording and workflow for a sandbox', () => import('./commands/init.ts')),
  row('verify', 'run the contract suite against a target and report drift', () => import('./commands/verify.ts')),
  row('record', 'learn the response shapes that the reference omits', () => import('./commands/record.ts')),
  row('diff', 'compare two recordings or documents, without a network', () => import('./commands/diff.ts')),
  row('accept', 'accept findings from a JSON report until a date', () => import('./commands/accept.ts')),
  row('audit', 'check a client from a journal, a capture or a driven run', () => import('./commands/audit.ts')),
  row(
    'survive',
    'lose answers to the writes of a program, and count its effects',
    () => import('./commands/survive.ts'),
  ),
  row('proxy', 'run a proxy between a client and the API, and check the traffic', () => import('./commands/proxy.ts')),
  row('report', 'convert a saved JSON report to another format', () => import('./commands/report.ts')),
  row('lint', 'lint a contract folder: bundled contract, overlays, other files', () => import('./commands/lint.ts')),
  row(
    'generate',
    'write validators, types, JSON Schemas and the bundled document of a contract folder',
    () => import('./commands/generate.ts'),
  ),
  row('spec', 'print the bundled contract', () => import('./commands/spec.ts')),
  row('facts', 'print what is known of an operation or field, with its source', () => import('./commands/facts.ts')),
  row('questions', "print the open questions to the API's owner, in Markdown", () => import('./commands/questions.ts')),
  row('mcp', 'serve facts, the mock and verify to agents (Model Context Protocol)', () => import('./commands/mcp.ts')),
  row('validate', 'validate JSON files against a schema of the contract', () => import('./commands/validate.ts')),
];

function row(name: string, summary: string, load: CommandRow['load']): CommandRow {
  return { name, summary, load };
}
