import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { ToolError } from '../../src/errors.ts';
import { packageRoot } from '../../src/package-root.ts';
import type { Json } from '../../src/schema/json.ts';
import { joinPointer } from '../../src/text/pointer.ts';

/** Root document of the fixture. */
export const bank: string = join(packageRoot, 'test/fixtures/spec/bank/openapi.yaml');

/** An overlay with these actions (YAML, indented by two). */
export function overlay(provenance: string, actions: string): { file: string; text: string } {
  const text = `overlay: 1.0.0\nx-provenance: ${provenance}\ninfo: { title: Test, version: '1' }\nactions:\n${actions}`;
  return { file: `${provenance}.overlay.yaml`, text };
}

/** An overlay of one action that merges a value (in YAML) into a target. */
export function change(provenance: string, target: string, update: string): { file: string; text: string } {
  return overlay(provenance, `  - target: ${target}\n    update: ${update}\n`);
}

/** The fixture with overlays. */
export function loadBank(...overlays: { file: string; text: string }[]): Promise<Contract> {
  return loadContract({ root: bank, overlays });
}

/** The error that loading throws. */
export async function failure(loading: Promise<unknown>): Promise<ToolError> {
  const error = await loading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ToolError)) throw new Error(`expected a ToolError, got ${String(error)}`, { cause: error });
  return error;
}

/** Writes files into a new folder, which is removed after the test. */
export async function folderWith(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

/** The contract of an invented document. */
export async function contractOf(document: object): Promise<Contract> {
  const folder = await folderWith({ 'openapi.json': JSON.stringify(document) });
  return loadContract({ root: join(folder, 'openapi.json') });
}

/** Every pointer of a document, with its value. */
export function* pointersOf(value: Json, pointer = ''): Generator<[pointer: string, value: Json]> {
  yield [pointer, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) yield* pointersOf(child as Json, joinPointer(pointer, key));
}
