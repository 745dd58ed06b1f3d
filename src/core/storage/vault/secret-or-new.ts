import type { Vault } from './vault.ts'

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
