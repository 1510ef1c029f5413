import type { CommandRow } from './command.ts';

export const commands: readonly CommandRow[] = [
  row('mock', 'start the mock of the API', () => import('./commands/mock.ts')),
  row('verify', 'run the contract suite against a target and report drift', () => import('./commands/verify.ts')),
  row('record', 'learn the shapes of what a target sends beyond the reference', () => import('./commands/record.ts')),
  row(
    'diff',
    'compare two recordings, or a recording and a bundle, without a network',
    () => import('./commands/diff.ts'),
  ),
  row('accept', 'accept findings of a JSON report until a date', () => import('./commands/accept.ts')),
  row('audit', 'judge a caller: from a journal, a capture, or by driving it', () => import('./commands/audit.ts')),
  row('proxy', 'stand between a caller and the API, and judge what passes', () => import('./commands/proxy.ts')),
  row('report', 'render a saved JSON report again', () => import('./commands/report.ts')),
  row(
    'lint',
    'lint the bundled contract with its overlays, and the rest of its folder',
    () => import('./commands/lint.ts'),
  ),
  row(
    'generate',
    'write validators, types, JSON Schemas and the bundled document of a contract folder',
    () => import('./commands/generate.ts'),
  ),
  row('spec', 'print the bundled contract', () => import('./commands/spec.ts')),
  row('validate', 'validate JSON files against a schema of the contract', () => import('./commands/validate.ts')),
];

function row(name: string, summary: string, load: CommandRow['load']): CommandRow {
  return { name, summary, load };
}
