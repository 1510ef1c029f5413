import { ChildProcess } from 'node:child_process';

const { kill } = ChildProcess.prototype;

/**
 * Makes `kill` of a process that could not start do nothing. Without it, Node signals an arbitrary process id, and 0 is
 * the whole group. vitest sends such signals if there are no free file handles, also after its run, so this stays.
 */
export function signalOnlyStarted(): void {
  ChildProcess.prototype.kill = function (signal) {
    return this.pid !== undefined && kill.call(this, signal);
  };
}
