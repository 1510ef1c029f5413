import { connect, type Socket } from 'node:net';

export interface Spoken {
  /** All bytes received before the connection closed or the time ran out. */
  readonly text: string;
  readonly closed: boolean;
}

/** Sends bytes, waits for the connection to close or for `wait` milliseconds, and returns the reply. */
export function speak(
  port: number,
  bytes: string | Buffer | readonly (string | Buffer)[],
  wait = 30_000,
): Promise<Spoken> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    let timer: NodeJS.Timeout | undefined;
    const done = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text: Buffer.concat(chunks).toString('latin1'), closed });
    };
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => done(true));
    socket.on('close', () => done(true));
    socket.on('connect', () => {
      timer = setTimeout(() => done(false), wait);
      for (const part of Array.isArray(bytes) ? bytes : [bytes as string | Buffer]) socket.write(part);
    });
  });
}

/** Status codes of the responses in a text, in order. */
export function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}
