import { show } from './show.tsx';

export interface MountOptions {
  /** Address of the mock's control API; `/__mock` of this origin by default. */
  readonly control?: string;
}

/**
 * Shows the page in an element until the returned function is called, or until another element gets it. It replaces the
 * contents of the element.
 * The page is in a shadow root with its own styles. Styles, keys, title, history and focus of the application do not
 * change.
 */
export function mount(root: Element, { control = '/__mock' }: MountOptions = {}): () => void {
  return show(root, control, false);
}
