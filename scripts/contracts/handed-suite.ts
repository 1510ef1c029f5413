import { once } from 'node:events';
import process from 'node:process';
import type { TestProject } from 'vitest/node';
import type { SuiteInput } from '../../src/run/protocol.ts';

/** Asks `scripts/contracts.ts`, which starts this process and keeps the way out, for the input of the suite. */
export default async function setup(project: TestProject): Promise<void> {
  if (process.send === undefined) throw new Error('Start this mode with: npm run contracts -- --target URL');
  const handed = once(process, 'message');
  process.send('ready');
  const [input] = (await handed) as [SuiteInput];
  project.provide('suite', input);
  process.disconnect();
}
