import { createHash } from 'node:crypto';

/** What makes two findings the same one. */
export interface Identity {
  readonly rule: string;
  readonly operationId: string | null;
  readonly pointer: string;
  /** Shape, not prose. */
  readonly expected: string;
  /** Shape, not prose. */
  readonly actual: string;
}

/** 16 hexadecimal digits over rule, operation, pointer and the two shapes; the same on every machine and in every run. */
export function fingerprint(identity: Identity): string {
  const { rule, operationId, pointer, expected, actual } = identity;
  return createHash('sha256')
    .update(JSON.stringify([rule, operationId, pointer, expected, actual]))
    .digest('hex')
    .slice(0, 16);
}
