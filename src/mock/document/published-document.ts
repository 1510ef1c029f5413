import type { Contract, JsonObject } from '../../contract/contract.ts';
import type { Parts } from '../tenant/parts.ts';
import { mockDocument } from './document.ts';

/** Where a mock listens that was started without flags. */
const URL = 'http://127.0.0.1:4010';
/** Records made for examples date from then, so that the file is the same from build to build. */
const THEN = Date.UTC(2026, 0, 1);

export function publishedDocument(contract: Contract, parts: Parts): JsonObject {
  const { seed, profile } = parts;
  return mockDocument(contract, { parts, seed, profile, number: 1, now: THEN, url: URL });
}
