import type { OverlaySource } from '../../src/contract/contract.ts';

/** A recording with these actions (YAML, indented by two). */
export function observed(actions: string): OverlaySource {
  const text = `overlay: 1.0.0
x-provenance: observed
info: { title: recording, version: 1.0.0 }
actions:
${actions}`;
  return { file: 'recording.yaml', text };
}
