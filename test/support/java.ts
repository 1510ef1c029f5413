import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Command that runs a Java program. The source is compiled once here, where `java FILE` would do it at each start. */
export function javaCommand(source: string): readonly string[] {
  const classes = mkdtempSync(join(tmpdir(), 'java-'));
  process.on('exit', () => rmSync(classes, { recursive: true, force: true }));
  try {
    execFileSync('javac', ['-d', classes, source], { stdio: 'ignore' });
  } catch {
    return ['java', source];
  }
  return ['java', '-cp', classes, basename(source, '.java')];
}
