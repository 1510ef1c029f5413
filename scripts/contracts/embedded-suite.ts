import type { TestProject } from 'vitest/node';
import { openRun } from '../../src/run/open-run.ts';

/** Starts the embedded mock and its way out for the Pactum suite of a clone, whatever the environment names as target. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  console.log('Target: the embedded mock. To run the suite against a sandbox: npm run contracts -- --target URL');
  async function open(): Promise<() => Promise<void>> {
    const run = await openRun({ target: 'mock' });
    const { input, wayOut } = await run.suite.open();
    project.provide('suite', input);
    return async () => {
      await wayOut[Symbol.asyncDispose]();
      await run[Symbol.asyncDispose]();
    };
  }
  let close = await open();
  // A run sends each write once. Repeated tests count as another run.
  project.onTestsRerun(async () => {
    await close();
    close = await open();
  });
  return () => close();
}
