import type { Report } from '../model/report.ts';

/** What is known of a target before it is opened. */
export function unopened(target: string): Report['target'] {
  return target === 'mock' ? { kind: 'mock', baseUrl: 'embedded mock' } : { kind: 'url', baseUrl: target };
}
