import { conversationsIn } from './conversations.ts'
import { localKeysIn } from './local-keys.ts'
import { interruptStreaming, messagesIn } from './messages.ts'
import { migrations } from './migrations/index.ts'
import { openDatabase, writeDatabase } from './open-database.ts'
import { receiptsIn } from './receipts.ts'
import { settingsIn } from './settings.ts'
import type { Store, StoreOptions } from './store.ts'
import { verdictsIn } from './verdicts.ts'

export type { LocalKey, MessagePatch, Release, Store, StoreOptions } from './store.ts'

/**
 * Opens the folder's records, or ones in memory, and marks as interrupted what a killed process was still writing.
 * Only the owner of the folder may. Throws SottoError `store/damaged` (also where the key is another one), `store/newer`
 * or `store/unwritable`; a file that is not opened is left as it is. RangeError where the key is not of 32 bytes.
 */
export function openStore({ folder, key, now }: StoreOptions): Store {
  const database = openDatabase(folder, key, migrations)
  try {
    interruptStreaming(database)
  } catch (error) {
    database.close()
    throw error
  }
  const receipts = receiptsIn(database)
  let inMemory = folder === null
  return {
    conversations: conversationsIn(database, now),
    messages: messagesIn(database, now),
    receipts,
    localKeys: localKeysIn(database, now),
    settings: settingsIn(database),
    verdicts: verdictsIn(database),
    moveTo(target, newKey) {
      if (!inMemory) throw new Error('Only a store in memory can become a file.')
      receipts.flush()
      database.replace((former, dataKey) => writeDatabase(former, dataKey, target, newKey))
      inMemory = false
    },
    close() {
      try {
        receipts.flush()
      } finally {
        receipts.stop()
        database.close()
      }
    },
  }
}
