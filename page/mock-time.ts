import { useEffect, useState } from 'preact/hooks';
import { health } from './live.ts';

/** The time of the mock in milliseconds, which runs on between two askings; drawn again each second. Null while the mock does not answer. */
export function useMockTime(): number | null {
  const [, tick] = useState(0);
  useEffect(() => {
    const beat = setInterval(() => tick((n) => n + 1), 1_000);
    return () => clearInterval(beat);
  }, []);
  const clock = health.value?.clock;
  return clock ? Date.now() + aheadBy(clock.now) : null;
}

let measured: { readonly now: string; readonly ahead: number } | undefined;

/** Milliseconds that the mock's clock is ahead of this one, measured when the time was told. */
function aheadBy(now: string): number {
  if (measured?.now !== now) measured = { now, ahead: Date.parse(now) - Date.now() };
  return measured.ahead;
}
