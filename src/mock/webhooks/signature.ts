import { createHmac } from 'node:crypto';

/** The key of a Standard Webhooks secret, 24 to 64 bytes as recommended; undefined for an invalid secret. */
export function keyOf(secret: string): Buffer | undefined {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  if (encoded === undefined) return undefined;
  const key = Buffer.from(encoded, 'base64');
  return key.length >= 24 && key.length <= 64 ? key : undefined;
}

/** Value of `webhook-signature` (Standard Webhooks): `v1,` and the HMAC-SHA256 of id, timestamp (seconds) and body in Base64. */
export function sign(key: Buffer, id: string, timestamp: number, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
