/** Milliseconds of the processor that this process has spent: a busy machine changes nothing in a difference of two. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** So many times is a measurement repeated: a collection of garbage falls into one of them, not into each. */
const ATTEMPTS = 6;

/**
 * How many times longer four times the size takes than four times the work of one: about 1 where time grows with the size only, 4 where
 * it grows with its square. Measured in CPU time of this process, so that a busy machine changes nothing; the smallest of several attempts,
 * as noise only adds time.
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
