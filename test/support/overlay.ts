/** An overlay with these actions. Without `provenance`, the loader's default applies. */
export function overlayOf(actions: readonly object[], provenance?: string): { file: string; text: string } {
  const head = { overlay: '1.0.0', 'x-provenance': provenance, info: { title: 'Test', version: '1' } };
  return { file: 'test.overlay.yaml', text: JSON.stringify({ ...head, actions }) };
}
