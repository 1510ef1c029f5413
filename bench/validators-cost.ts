/** Cost of one validator before its use: time from import to the first answer, and bytes in the bundle of a page. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { packageRoot } from '../src/package-root.ts';

export interface CostRow {
  readonly contender: string;
  /** Time to import it and check one token in a fresh process, minus an empty module; median, milliseconds. */
  readonly importMilliseconds: number;
  /** Size of the same program, bundled, minified and gzipped. Where eval is forbidden, Ajv and TypeBox need more. */
  readonly gzippedBytes: number;
}

const RUNS = 11;
const VALUE = "{access_token:'a',expires_in:1,jti:'j',scope:'',token_type:'bearer'}";

/** One program per library; `DIST` is the built package. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'banking-api-contract': `import { Token } from 'DIST/generated/validators/token.js'; if (!Token.is(${VALUE})) throw 1;`,
  'Ajv at run time': `import { Ajv2020 } from 'ajv/dist/2020.js'; if (!new Ajv2020().compile({type:'object',required:['access_token','expires_in','jti','scope','token_type'],properties:{access_token:{type:'string'},expires_in:{type:'integer'},jti:{type:'string'},scope:{type:'string'},token_type:{type:'string'}}})(${VALUE})) throw 1;`,
  TypeBox: `import Type from 'typebox'; import { Compile } from 'typebox/compile'; if (!Compile(Type.Object({access_token:Type.String(),expires_in:Type.Integer(),jti:Type.String(),scope:Type.String(),token_type:Type.String()})).Check(${VALUE})) throw 1;`,
  'zod 4': `import * as z from 'zod'; if (!z.looseObject({access_token:z.string(),expires_in:z.int(),jti:z.string(),scope:z.string(),token_type:z.string()}).safeParse(${VALUE}).success) throw 1;`,
  valibot: `import * as v from 'valibot'; if (!v.is(v.looseObject({access_token:v.string(),expires_in:v.pipe(v.number(),v.integer()),jti:v.string(),scope:v.string(),token_type:v.string()}),${VALUE})) throw 1;`,
  arktype: `import { type } from 'arktype'; if (!type({access_token:'string',expires_in:'number.integer',jti:'string',scope:'string',token_type:'string'}).allows(${VALUE})) throw 1;`,
};

/** Needs the built package (`npm run build`). */
export async function benchValidatorCost(): Promise<readonly CostRow[]> {
  const dist = join(packageRoot, 'dist');
  if (!existsSync(join(dist, 'generated/validators/token.js'))) throw new Error('run npm run build first');
  const folder = await mkdtemp(join(packageRoot, 'node_modules/.bench-'));
  try {
    const files = new Map<string, string>([['', join(folder, 'empty.mjs')]]);
    await writeFile(join(folder, 'empty.mjs'), '');
    for (const [name, program] of Object.entries(PROGRAMS)) {
      const file = join(folder, `${files.size}.mjs`);
      await writeFile(file, program.replace('DIST/', pathToFileURL(`${dist}/`).href));
      files.set(name, file);
    }
    const runner = join(folder, 'runner.mjs');
    await writeFile(
      runner,
      'const start = performance.now(); await import(process.argv[2]); process.stdout.write(String(performance.now() - start));',
    );
    const times = importTimes(runner, files);
    const rows: CostRow[] = [];
    for (const name of Object.keys(PROGRAMS)) {
      const importMilliseconds = (times.get(name) ?? Number.NaN) - (times.get('') ?? Number.NaN);
      const program = (PROGRAMS[name] ?? '').replace('DIST/', `${dist}/`);
      rows.push({ contender: name, importMilliseconds, gzippedBytes: await gzippedSize(program) });
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The programs alternate, each in a fresh process that measures itself without its start. Median of each. */
function importTimes(runner: string, files: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const times = new Map([...files.keys()].map((name) => [name, [] as number[]]));
  for (let run = 0; run < RUNS; run++) {
    for (const [name, file] of files) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [runner, file], { encoding: 'utf8' });
      if (status !== 0) throw new Error(`${name}: ${stderr}`);
      times.get(name)?.push(Number(stdout));
    }
  }
  return new Map([...times].map(([name, list]) => [name, median(list)]));
}

export function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
}

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

export function formatCostRows(rows: readonly CostRow[]): string {
  const lines = rows.map(({ contender, importMilliseconds, gzippedBytes }) => {
    return `${contender.padEnd(28)}  ${importMilliseconds.toFixed(1).padStart(20)}  ${(gzippedBytes / 1000).toFixed(1).padStart(11)}`;
  });
  return [`${'one validator'.padEnd(28)}  import and check, ms  gzipped, kB`, ...lines, ''].join('\n');
}
