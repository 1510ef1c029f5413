/** CPU milliseconds used by this process, so that differences do not depend on the load of the machine. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Repetitions of a measurement: garbage collection affects one of them, not all. */
const ATTEMPTS = 6;

/**
 * Time for the fourfold size, divided by the time for four times the size of one: about 1 for linear time, 4 for
 * quadratic time.
 * Measured in CPU time, so that the load does not matter. The smallest of several attempts counts, because noise only
 * adds time.
 */
export function growth(work: (size: number) => void, size: number): number {
  const spent = (one: () => void): number => {
    const started = cpuTime();
    one();
    return cpuTime() - started;
  };
  const attempt = (): number => {
    work(size);
    const apart = spent(() => {
      for (let round = 0; round < 4; round += 1) work(size);
    });
    return spent(() => work(4 * size)) / apart;
  };
  let smallest = attempt();
  for (let tried = 1; tried < ATTEMPTS && smallest > 1.5; tried += 1) smallest = Math.min(smallest, attempt());
  return smallest;
}
