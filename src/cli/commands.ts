import type { Command } from './command.ts';

/** A row of the command table: enough for the help, and how to load the rest. */
export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  /** Loads the command's module, so that a command costs only what it needs. */
  load(): Promise<Command>;
}

/** Every command, in the order of the help. */
export const commands: readonly CommandRow[] = [
  {
    name: 'mock',
    summary: 'start the mock of the API',
    load: async () => (await import('./commands/mock.ts')).mockCommand,
  },
  {
    name: 'verify',
    summary: 'run the contract suite against a target and report drift',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  {
    name: 'record',
    summary: 'learn the shapes of what a target sends beyond the reference',
    load: async () => (await import('./commands/record.ts')).recordCommand,
  },
  {
    name: 'diff',
    summary: 'compare two recordings, or a recording and a bundle, without a network',
    load: async () => (await import('./commands/diff.ts')).diffCommand,
  },
  {
    name: 'accept',
    summary: 'accept findings of a JSON report until a date',
    load: async () => (await import('./commands/accept.ts')).acceptCommand,
  },
  {
    name: 'audit',
    summary: 'judge a caller: from a journal, a capture, or by driving it',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  {
    name: 'proxy',
    summary: 'stand between a caller and the API, and judge what passes',
    load: async () => (await import('./commands/proxy.ts')).proxyCommand,
  },
  {
    name: 'report',
    summary: 'render a saved JSON report again',
    load: async () => (await import('./commands/report.ts')).reportCommand,
  },
  {
    name: 'lint',
    summary: 'lint the bundled contract with its overlays, and the rest of its folder',
    load: async () => (await import('./commands/lint.ts')).lintCommand,
  },
  {
    name: 'generate',
    summary: 'write validators, types, JSON Schemas and the bundled document of a contract folder',
    load: async () => (await import('./commands/generate.ts')).generateCommand,
  },
  {
    name: 'spec',
    summary: 'print the bundled contract',
    load: async () => (await import('./commands/spec.ts')).specCommand,
  },
  {
    name: 'validate',
    summary: 'validate JSON files against a schema of the contract',
    load: async () => (await import('./commands/validate.ts')).validateCommand,
  },
];
