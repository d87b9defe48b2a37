/** `crypto.randomUUID` exists on secure origins only, and Vigil may be opened by a plain LAN address. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
