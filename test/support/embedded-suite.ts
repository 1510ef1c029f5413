import type { TestProject } from 'vitest/node';
import { openSession } from '../../src/run/session.ts';
import { openSuite } from '../../src/run/suite.ts';
import { openTarget } from '../../src/run/target.ts';

/** Starts the embedded mock and its way out for the Pactum suite of a clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const target = await openTarget({ target: 'mock' });
  const open = async (): Promise<() => Promise<void>> => {
    const session = await openSession(target, {});
    const { input, wayOut } = await openSuite(session).open();
    project.provide('suite', input);
    return async () => {
      await wayOut[Symbol.asyncDispose]();
      await session[Symbol.asyncDispose]();
    };
  };
  let close = await open();
  // A run sends each write once. Repeated tests count as another run.
  project.onTestsRerun(async () => {
    await close();
    close = await open();
  });
  return async () => {
    await close();
    await target[Symbol.asyncDispose]();
  };
}
