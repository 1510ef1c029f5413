import { takeToken } from './control.ts';
import { followAddress } from './route.ts';
import { show } from './show.tsx';

const root = document.getElementById('page');
if (root) {
  takeToken();
  followAddress();
  show(root, '/__mock', true);
}
