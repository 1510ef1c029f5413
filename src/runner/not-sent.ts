/** Why a call was kept from leaving the process. */
export type NotSentKind = 'policy' | 'budget' | 'circuit' | 'interrupted' | 'token';

/** Thrown instead of sending; nothing was opened for the call. */
export class NotSent extends Error {
  override readonly name: string = 'NotSent';
  readonly kind: NotSentKind;

  constructor(kind: NotSentKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
