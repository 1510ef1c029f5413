import { documentFolder } from '../../src/contract/document-folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { type Exchange, header, is2xx } from '../../src/model/exchange.ts';
import { verify } from '../../src/run/verify.ts';
import type { Answered } from './oracle.ts';

/** Verifies the mock of a document, with the first request of each operation that succeeds, and its answer. */
export async function examine(spec: string) {
  const folder = documentFolder(spec);
  const contract = await loadContract({ folder });
  const sent = new Map<string, Exchange['request']>();
  const answers = new Map<string, Answered>();
  const report = await verify({
    target: 'mock',
    folder,
    onExchange: ({ operationId, request, response }) => {
      const before = answers.get(operationId ?? '');
      if (operationId === null || response === null || (before && is2xx(before.status))) return;
      const type = header(response.headers, 'content-type') ?? '';
      sent.set(operationId, request);
      answers.set(operationId, { status: response.status, type, text: Buffer.from(response.body.bytes).toString() });
    },
  });
  return { folder, contract, report, sent, answers };
}
