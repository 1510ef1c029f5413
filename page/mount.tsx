import { render } from 'preact';
import { App } from './app.tsx';
import { use } from './control.ts';
import { follow } from './live.ts';

export interface MountOptions {
  /** Where the control API of the mock is; `/__mock` of this origin by default. */
  readonly control?: string;
}

/** Shows the page in an element, whose contents it replaces, until what it returns is called. One page at a time. */
export function mount(root: Element, { control = '/__mock' }: MountOptions = {}): () => void {
  use(control);
  const stop = follow();
  render(<App />, root);
  return () => {
    stop();
    render(null, root);
  };
}
