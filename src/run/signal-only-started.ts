import { ChildProcess } from 'node:child_process';

const { kill } = ChildProcess.prototype;

/**
 * Node keeps the handle of a process that could not start, for example without free file handles. A signal to that handle
 * goes to a random process id, to the whole group (0) or to every process (-1). vitest sends such a signal to a worker
 * that did not start.
 */
export function signalOnlyStarted(): void {
  ChildProcess.prototype.kill = function (signal) {
    return this.pid !== undefined && kill.call(this, signal);
  };
}
