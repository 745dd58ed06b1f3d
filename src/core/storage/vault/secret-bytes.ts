import type { Vault } from './vault.ts'

/**
 * Copies a secret into separate memory. V8 stores small typed arrays in its heap and leaves a copy behind
 * whenever it moves one. The bytes of an ArrayBuffer don't move, so zeroing them leaves no copy.
 *
 * @param secret bytes, or base64 text
 */
export function secretBytes(secret: Uint8Array | readonly number[] | string): Uint8Array {
  if (typeof secret === 'string') {
    const bytes = new Uint8Array(new ArrayBuffer(Buffer.byteLength(secret, 'base64')))
    return bytes.subarray(0, Buffer.from(bytes.buffer).write(secret, 'base64'))
  }
  const copy = new Uint8Array(new ArrayBuffer(secret.length))
  copy.set(secret)
  return copy
}

/** The same bytes as a Buffer. `Buffer.from(bytes)` would copy them into Node's shared pool, where they stay. */
export function viewOf(secret: Uint8Array): Buffer {
  return Buffer.from(secret.buffer, secret.byteOffset, secret.byteLength)
}

/** The text of bytes that nothing needs afterwards; they are zeroed. */
export function takeText(secret: Uint8Array): string {
  const text = viewOf(secret).toString('utf8')
  secret.fill(0)
  return text
}

/** Sets a secret that is text. Its bytes are never in Node's shared pool, and are zeroed afterwards. */
export async function setText(
  vault: { set(name: string, value: Uint8Array): Promise<void> },
  name: string,
  text: string,
): Promise<void> {
  const bytes = Buffer.from(new ArrayBuffer(Buffer.byteLength(text)))
  bytes.write(text)
  try {
    await vault.set(name, bytes)
  } finally {
    bytes.fill(0)
  }
}

/**
 * Returns a secret, which is created on the first call. The caller owns the bytes, and zeroes them after
 * use. An open vault returns null only if the secret doesn't exist, and a locked vault throws, so a secret
 * is never replaced by mistake. Throws vault/…, store/unwritable.
 */
export async function secretOrNew(vault: Vault, name: string, make: () => Buffer): Promise<Uint8Array> {
  const stored = await vault.get(name)
  if (stored) return stored
  const created = make()
  // Another process may have created it since.
  if (vault.add) return vault.add(name, created)
  await vault.set(name, created)
  return created
}

/** Overwrites secrets that nothing needs anymore. */
export function zeroAll(secrets: Iterable<Uint8Array | undefined>): void {
  for (const secret of secrets) secret?.fill(0)
}
