import { ToolError } from '../errors.ts';
import { FileTooLarge, readBounded } from './bounded.ts';

/** Far beyond any report, baseline or configuration. */
const MAX_MEBIBYTES = 256;

/** Text of a file. Throws `ToolError` `file-missing` or `file-unreadable`, naming the file. */
export async function readTextFile(file: string): Promise<string> {
  try {
    return (await readBounded(file, MAX_MEBIBYTES)).toString('utf8');
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** What a failed open or read of a file becomes. */
export function unreadable(file: string, cause: unknown): ToolError {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new ToolError('file-missing', 'There is no such file.', { place: { file } });
  }
  if (cause instanceof FileTooLarge) return new ToolError('file-unreadable', cause.message, { place: { file }, cause });
  const why = code === 'EISDIR' ? 'It is a folder.' : `It cannot be read (${code ?? 'unknown error'}).`;
  return new ToolError('file-unreadable', why, { place: { file }, cause });
}

/** What is read; something else where there is no such file. */
export function unlessMissing<T, U>(reading: Promise<T>, otherwise: U): Promise<T | U> {
  return reading.catch((error: unknown) => {
    if (error instanceof ToolError && error.code === 'file-missing') return otherwise;
    throw error;
  });
}
