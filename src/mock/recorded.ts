import type { Contract, Media, Operation } from '../spec/contract.ts';

/** What a recording says of the good answers of an operation, per status and media type. */
export function recordedMedia(
  contract: Contract,
  { responses }: Operation,
): readonly { readonly status: string; readonly media: Media }[] {
  return responses.flatMap(({ status, content, pointer }) =>
    /^2\d\d$/.test(status) && contract.provenanceOf(pointer) === 'observed'
      ? content.map((media) => ({ status, media }))
      : [],
  );
}
