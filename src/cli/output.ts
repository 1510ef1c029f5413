import { fstatSync, writeFileSync } from 'node:fs';

/** A stream of the process that says whether it took what was written. */
export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly isFile: boolean;
  /** Resolves when all that was written has left; to the error where something could not, else to null. */
  failure(): Promise<Error | null>;
}

/**
 * Watches stdout, whose errors would otherwise end the process. A reader that went away (`| head`) is none: what it did not want is
 * dropped. A full disk is one.
 */
export function watchOutput(stream: NodeJS.WriteStream & { readonly fd: number }): Output {
  let failure: Error | null = null;
  let wrote = false;
  const note = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') failure ??= error;
  };
  stream.on('error', note);
  const isFile = fstatSync(stream.fd).isFile();
  return {
    write(text) {
      wrote = true;
      if (!isFile) stream.write(text);
      else {
        // Node's stream loses the rest of what a disk takes in part only, and calls it written.
        try {
          writeFileSync(stream.fd, text);
        } catch (error) {
          note(error as NodeJS.ErrnoException);
        }
      }
    },
    isFile,
    get isTTY() {
      return stream.isTTY === true;
    },
    async failure() {
      if (!wrote || isFile) return failure;
      await new Promise<void>((resolve) => stream.write('', () => resolve()));
      // an error is told one turn after the write that it belongs to
      await new Promise((resolve) => setImmediate(resolve));
      return failure;
    },
  };
}
