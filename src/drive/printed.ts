/** Characters of a piece: too many for a coincidence. */
const PIECE = 12;

/** The secrets in the output of a program, by their kind. */
export function printedSecrets(
  lines: readonly string[],
  { username, password }: { readonly username: string; readonly password: string },
  tokens: Iterable<string>,
): string[] {
  const text = lines.join('\n');
  const has = (secret: string): boolean => text.includes(secret);
  const all = [...tokens];
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  return [
    ...(has(password) ? ['the password'] : []),
    ...(has(basic) ? ['a Basic header'] : []),
    ...(all.some(has) ? ['a token'] : all.some((token) => piecesOf(token).some(has)) ? ['a part of a token'] : []),
  ];
}

/** Pieces of the signature of a JWT, or of an opaque token. The other parts of a JWT are no secret. */
function piecesOf(token: string): string[] {
  return (
    token
      .split('.')
      .at(-1)
      ?.match(new RegExp(`.{${PIECE}}`, 'g')) ?? []
  );
}
