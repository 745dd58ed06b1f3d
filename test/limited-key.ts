import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Vault } from '../src/core/core.ts'
import { createStore } from '../src/core/storage/index.ts'
import type { KeyLimits } from '../src/shared/key-limits.ts'

/** The first local key of a data folder in which no core has run yet, with limits. The vault must be one that lasts. */
export async function giveFirstKey({
  vault,
  folder,
  profileId,
  limits,
}: {
  vault: Vault
  folder: string
  profileId: string
  limits: KeyLimits
}): Promise<{ key: string; keyId: string }> {
  const key = `sk-sotto-${randomBytes(24).toString('base64url')}`
  const storeKey = randomBytes(32)
  await vault.set('local-key', Buffer.from(key))
  await vault.set('store-key', storeKey)
  const store = createStore({ folder: join(folder, 'profiles', profileId), key: storeKey, now: Date.now })
  const { id } = store.localKeys.add({
    name: 'First key',
    hash: createHash('sha256').update(key).digest('hex'),
    limits,
  })
  store.close()
  return { key, keyId: id }
}
