import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';

const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
  bugs?: { url?: string };
};

export const tool: { readonly name: string; readonly version: string } = {
  name: manifest.name,
  version: manifest.version,
};

export const bugsUrl: string | undefined = manifest.bugs?.url;
