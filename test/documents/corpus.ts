/** The documents, with what differs between them. `README.md` has their sources and licences. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { temporaryFolder } from '../support/temporary-folder.ts';

export interface Sample {
  readonly file: string;
  readonly operations: number;
  /** A collection with records that can be created, listed, read and deleted; the steps that the document lacks. */
  readonly records?: { readonly path: string; readonly lacks?: readonly ('list' | 'delete')[] };
  /** Problems above `info` that `lint` reports, by rule. Each is wrong by the document's own version. */
  readonly problems?: Readonly<Record<string, number>>;
  /** Operations that document only redirects. */
  readonly redirects?: number;
}

export const CORPUS: readonly Sample[] = [
  {
    file: 'adyen-checkout.yaml',
    operations: 28,
    records: { path: '/paymentLinks', lacks: ['list', 'delete'] },
    problems: { 'example-invalid': 2 },
  },
  {
    file: 'adyen-management.yaml',
    operations: 134,
    records: { path: '/me/allowedOrigins' },
    problems: { 'example-invalid': 3 },
  },
  { file: 'blockfrost.yaml', operations: 129, problems: { 'example-invalid': 8 } },
  {
    file: 'github-rest.json',
    operations: 1223,
    records: { path: '/gists' },
    problems: { 'example-invalid': 100 },
    redirects: 8,
  },
  {
    file: 'paypal-invoicing.json',
    operations: 21,
    records: { path: '/v2/invoicing/invoices' },
    problems: { 'example-invalid': 2, 'oas3-schema': 1 },
  },
  { file: 'paypal-orders.json', operations: 9, records: { path: '/v2/checkout/orders', lacks: ['list', 'delete'] } },
  { file: 'petstore-2.0.json', operations: 20, records: { path: '/pet', lacks: ['list'] } },
  { file: 'petstore-3.0.json', operations: 20, records: { path: '/user', lacks: ['list'] } },
  { file: 'petstore-3.1.json', operations: 20, records: { path: '/user', lacks: ['list'] } },
  { file: 'readme.json', operations: 54 },
  { file: 'scalar-galaxy.yaml', operations: 10, records: { path: '/planets' }, problems: { 'keyword-invalid': 1 } },
  { file: 'slack.json', operations: 174, problems: { 'keyword-invalid': 1 } },
  {
    file: 'stripe.json',
    operations: 355,
    records: { path: '/v1/coupons' },
  },
];

/** Writes the document into a folder of its own, and returns its path. */
export async function unpacked(file: string): Promise<string> {
  const path = join(await temporaryFolder(), file);
  await writeFile(path, await promisify(gunzip)(await readFile(join(import.meta.dirname, `${file}.gz`))));
  return path;
}
