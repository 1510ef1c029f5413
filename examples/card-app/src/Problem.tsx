/** A problem of the API (RFC 9457), or an error without an answer. A session that has ended is no fault of the reader. */
export function Problem({ of }: { readonly of: unknown }) {
  if (!of) return null;
  const { status, title, detail } = of as { status?: number; title?: string; detail?: string };
  const text = status === 401 ? 'Your session has ended. Refresh to sign in again.' : (detail ?? title ?? String(of));
  return <p role="alert">{text}</p>;
}
