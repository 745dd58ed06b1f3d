import type { Vault } from './vault.ts'

/**
 * A secret that is made once. The caller owns the bytes, and zeroes them when it needs them no longer. null from an open vault is a sure absence; a locked one throws, so a secret is never made anew
 * by mistake. Throws vault/…, store/unwritable.
 */
export async function secretOrNew(vault: Vault, name: string, make: () => Buffer): Promise<Uint8Array> {
  const kept = await vault.get(name)
  if (kept) return kept
  const made = make()
  await vault.set(name, made)
  return made
}
