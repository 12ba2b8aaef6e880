const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A random word for Idempotency-Key. Works on plain http, where `crypto.randomUUID` does not exist. */
export function randomKey(length = 26): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => ALPHABET[byte % 32]).join('');
}
