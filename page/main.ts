import { mount } from './mount.tsx';

const root = document.getElementById('page');
if (root) mount(root);
