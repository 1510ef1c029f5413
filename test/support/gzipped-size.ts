import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { packageRoot } from '../../src/package-root.ts';

/** Bytes of a program as a browser downloads it. */
export async function gzippedSize(program: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: packageRoot, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
}
