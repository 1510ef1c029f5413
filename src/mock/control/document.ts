import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../package-root.ts';
import type { Controls } from './controls.ts';

interface Document {
  readonly paths: Record<string, Record<string, unknown>>;
  servers?: unknown;
}

/** The OpenAPI document of the control API, without what this mock has nothing behind. */
export async function controlDocument(controls: Pick<Controls, 'state' | 'url'>): Promise<object> {
  const [{ parse }, text] = await Promise.all([
    import('yaml'),
    readFile(join(packageRoot, 'mocks', 'control.openapi.yaml'), 'utf8'),
  ]);
  const document = parse(text) as Document;
  if (!controls.state) delete document.paths['/__mock/state'];
  document.servers = [{ url: controls.url() }];
  return document;
}
