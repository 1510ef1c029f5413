import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import type { Controls } from './controls.ts';

/** A request of the control API whose path is known. */
export interface Asked {
  readonly call: Call;
  readonly query: URLSearchParams;
  /** The JSON body; undefined where there is none. */
  readonly body: unknown;
  /** Decoded path parameters. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** One operation of the control API; `mocks/control.openapi.yaml` describes the same ones. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With parameters in braces, without `/__mock`. */
  readonly path: string;
  answer(asked: Asked): Answer | Promise<Answer>;
  /** False where the mock has nothing behind it. */
  readonly there?: boolean;
}

/** Makes the routes of one concern. */
export type Routes = (controls: Controls) => readonly Route[];
