import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { command } from '../cli/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { FOLDER } from './pigeons.ts';

const project = await temporaryFolder();
await mkdir(join(project, 'node_modules'));
await symlink(packageRoot, join(project, 'node_modules', 'banking-api-contract'), 'dir');
const { code, err } = await command(['generate', '--contract', FOLDER, '--out', 'generated'], { cwd: project });
expect(code, err).toBe(0);

/** A program of the project that imports what was generated. */
async function program(name: string, text: string): Promise<string> {
  const file = join(project, name);
  await writeFile(file, text);
  return file;
}

describe('generate for the second API', () => {
  test('validators hold what is documented of it', async () => {
    const file = await program(
      'use.mjs',
      `import { Letter, Pigeon, SendLetterRequest } from './generated/validators/index.js';
       const pigeon = { pigeonRef: 'p', plumage: 'WHITE' };
       console.log(JSON.stringify([
         Pigeon.is(pigeon), Pigeon.is({ ...pigeon, plumage: 'GREEN' }), Pigeon.is({ plumage: 'WHITE' }),
         Letter.is({ letterNumber: '1', seaRoute: 7 }), SendLetterRequest.is({ declaredValue: 1 }),
       ]));`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(JSON.parse(stdout)).toEqual([true, false, false, false, true]);
  });

  test('types compile, and know each field', async () => {
    const good = `import { Pigeon } from './generated/validators/index.js';
      import type { Letter } from './generated/types.d.ts';
      export function ring(found: unknown): string | undefined {
        Pigeon.assert(found);
        return found.ringNumber;
      }
      export const route = (letter: Letter): string => letter.seaRoute ?? 'overland';\n`;
    await program('good.ts', good);
    await program('bad.ts', good.replace('found.ringNumber', 'found.feathers'));
    const compile = (file: string) =>
      promisify(execFile)(
        process.execPath,
        [
          join(packageRoot, 'node_modules/typescript/bin/tsc'),
          ...['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'],
          ...['--module', 'nodenext', '--target', 'es2022', '--types', '', file],
        ],
        { cwd: project },
      );
    await expect(compile('good.ts')).resolves.toMatchObject({ stdout: '' });
    await expect(compile('bad.ts')).rejects.toMatchObject({ stdout: expect.stringContaining('feathers') });
  });
});
