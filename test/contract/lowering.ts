import type { OverlaySource } from '../../src/contract/contract.ts';

function overlay(actions: string, provenance = 'documented'): Required<OverlaySource> {
  const text = `overlay: 1.0.0
x-provenance: ${provenance}
info: { title: tenant, version: 1.0.0 }
actions:
${actions}
`;
  return { file: 'tenant.yaml', text };
}

/** Gives a path to a POST that declares itself a read. */
const SEARCHES = `  - target: $.paths
    update:
      /wallet/api/customers/{customerId}/cards/search:
        post: { operationId: searchCards, x-effect: read, responses: { 2XX: { description: Hits. } } }`;
export const SEARCH: Required<OverlaySource> = overlay(SEARCHES);

/** Takes a name from its operation and gives it to a POST. */
export function movedTo(path: string, operationId: string): Required<OverlaySource> {
  return overlay(`  - { target: '$.paths.*[?@.operationId=="${operationId}"]', update: { operationId: before } }
  - { target: $.paths, update: { "${path}": { post: { operationId: ${operationId}, x-effect: read } } } }`);
}

/** Every way in which an overlay may try to turn a write into a read. */
export const LOWERING: Readonly<Record<string, OverlaySource>> = {
  'an overlay declares every operation a read': overlay(
    `  - { target: '$.paths.*[?@.operationId]', update: { x-effect: read } }`,
  ),
  'a recording declares every operation a read': overlay(
    `  - { target: '$.paths.*[?@.operationId]', update: { x-effect: read } }`,
    'observed',
  ),
  'an overlay removes operations and adds them again': overlay(`  - { target: $.paths.*.delete, remove: true }
  - { target: "$.paths['/wallet/api/customers/{customerId}/cards'].post", remove: true }
  - target: $.paths
    update:
      /wallet/api/customers/{customer}/cards:
        post: { operationId: issueNewCard, x-effect: read }
      /wallet/api/customers/{customerId}/cards/{cardId}:
        delete: { operationId: deleteCard, x-effect: read }`),
  'an overlay adds a POST that declares itself a read': SEARCH,
};
