import { useEffect, useState } from 'preact/hooks';
import { health, healthAt } from './live.ts';

/** The time of the mock in milliseconds, drawn again each second; null while the mock does not answer. */
export function useMockTime(): number | null {
  const [, tick] = useState(0);
  useEffect(() => {
    const beat = setInterval(() => tick((n) => n + 1), 1_000);
    return () => clearInterval(beat);
  }, []);
  const clock = health.value?.clock;
  return clock ? Date.parse(clock.now) + Date.now() - healthAt : null;
}
