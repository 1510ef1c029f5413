import { ok } from '../input.ts';
import type { Routes } from '../route.ts';

/** The document of the control API itself. */
export const contractRoutes: Routes = (controls) => [
  {
    method: 'GET',
    path: '/openapi.json',
    async answer() {
      const { controlDocument } = await import('../document.ts');
      return ok(await controlDocument(controls));
    },
  },
];
