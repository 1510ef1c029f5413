export type EndOfTurn = (task: () => void) => void;

/**
 * Collects tasks and runs them together at the end of this turn of the event loop. Made for writes to sockets: the first
 * write wakes the reader, which costs more than the write itself. The reader is still awake for the others.
 */
export function createEndOfTurn(): EndOfTurn {
  let due: (() => void)[] = [];
  const run = (): void => {
    const tasks = due;
    due = [];
    for (const task of tasks) task();
  };
  return (task) => {
    if (due.push(task) === 1) setImmediate(run);
  };
}
