import type { DatabaseAddress } from './database-address.ts'
import { createDatabase, type Database } from './database.ts'
import { requireUsable } from './migrate.ts'

export type { Database } from './database.ts'
export {
  createKey,
  listKeysWithAmounts,
  revokeKey,
  type KeyWithAmounts,
  type SharedKey,
} from './local-keys.ts'
export { listAbsences, type Absence } from './records.ts'
export { listReceipts, type ReceiptSelection, type SharedReceipt } from './receipt-list.ts'
export { readDatabaseAddress, readReplicaSettings } from './replica-settings.ts'
export { migrateDatabase, startReplica, type Replica } from './start-replica.ts'
export {
  acceptOlderRelease,
  connectWallet,
  pinReleases,
  requireApproval,
  resumePayments,
  rotateKey,
  saveApiKey,
} from './team-commands.ts'
export { createKeyOf } from './team/member-keys.ts'
export { addMember, findMember, listMembers, removeMember } from './team/members.ts'
export { newLocalKey } from '../core/gateway/proxy/index.ts'

/**
 * Runs a command's work with a connection to a database whose schema this version knows.
 * @throws {SottoError} database/…, and the error of `work`
 */
export async function withDatabase<T>(
  address: DatabaseAddress,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  await using database = createDatabase({ address, connections: 1, name: 'sotto command' })
  await requireUsable(database)
  return await work(database)
}
