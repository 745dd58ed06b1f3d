import { profileFolder, storeKey, type CoreOptions, type UnlockResult } from './create-core.ts'
import type { ApiContext } from './rpc/context.ts'

/** After this time, a store that the disk refused is saved again. */
const AGAIN_MS = 15_000

interface StoreSaver extends Disposable {
  readonly savedIn: ApiContext['savedIn']
  /**
   * Moves a store in memory to the disk if the vault is saved there.
   * @throws {SottoError} vault/…, store/unwritable – the store is then still in memory, and is saved when the disk accepts it
   */
  save(): Promise<void>
}

/** @param opened null while the vault isn't open */
export function createStoreSaver(opened: () => UnlockResult | null, options: CoreOptions): StoreSaver {
  const { vault, onChange } = options
  const savedIn: ApiContext['savedIn'] = () => (opened()?.inMemory ? 'memory' : vault.kind)
  async function save(): Promise<void> {
    const core = opened()
    if (!core || savedIn() === vault.kind) return
    const key = await storeKey(vault)
    try {
      // Another call may have moved it by now.
      if (savedIn() === vault.kind) return
      core.store.moveTo(profileFolder(options), key)
    } finally {
      key.fill(0)
    }
    core.inMemory = false
    onChange?.()
    await core.rememberRoot()
  }
  const again = setInterval(() => void save().catch(() => undefined), AGAIN_MS).unref()
  return { savedIn, save, [Symbol.dispose]: () => clearInterval(again) }
}
