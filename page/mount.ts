import { show } from './show.tsx';

export interface MountOptions {
  /** Where the control API of the mock is; `/__mock` of this origin by default. */
  readonly control?: string;
}

/**
 * Shows the page in an element, whose contents it replaces, until the returned function is called. One page at a time. The page is
 * in a shadow root with its own styles. Styles, keys, title, history and focus of the application stay as they are.
 */
export function mount(root: Element, { control = '/__mock' }: MountOptions = {}): () => void {
  return show(root, control, false);
}
