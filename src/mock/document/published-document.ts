import type { Contract } from '../../contract/contract.ts';
import type { JsonObject } from '../../schema/json.ts';
import { createInitialRecords } from '../tenant/initial-records.ts';
import type { Parts } from '../tenant/parts.ts';
import { mockDocument } from './document.ts';

/** Default address of a mock. */
const URL = 'http://127.0.0.1:4010';
/** Creation time of example records, fixed so that every build makes the same file. */
const THEN = Date.UTC(2026, 0, 1);

export function publishedDocument(contract: Contract, parts: Parts): JsonObject {
  const { seed, profile } = parts;
  const { base, ids } = createInitialRecords(seed, parts, { number: 1, now: THEN, profile });
  return mockDocument(contract, {
    parts,
    seed,
    records: base(''),
    ids: ids(),
    profile,
    number: 1,
    now: THEN,
    url: URL,
  });
}
