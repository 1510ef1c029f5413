import { render } from 'preact';
import { App } from './app.tsx';
import { use } from './control.ts';
import { followEvents } from './live.ts';
import { drawIn } from './surface.ts';

/** The style sheet of the page, set by `scripts/page.ts`. */
declare const STYLE: string;

let end: (() => void) | undefined;

/**
 * Draws the page in a shadow root below an element until the returned function is called. Owns the window if `alone`.
 */
export function show(root: Element, control: string, alone: boolean): () => void {
  end?.();
  const box = document.createElement('div');
  if (alone) box.className = 'alone';
  const shadow = box.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  shadow.adoptedStyleSheets = [sheet];
  root.replaceChildren(box);
  drawIn(shadow, alone);
  use(control);
  const stop = followEvents();
  render(<App />, shadow);
  const unmount = (): void => {
    stop();
    render(null, shadow);
    box.remove();
  };
  end = unmount;
  return unmount;
}
