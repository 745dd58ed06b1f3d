import { join } from 'node:path'
import { attachmentsIn, namedAttachmentFiles, removeUnusedAttachments } from './attachments.ts'
import { changesIn } from './changes.ts'
import { collateralIn } from './collateral.ts'
import { conversationsIn } from './conversations.ts'
import { deferWrites } from './deferred-writes.ts'
import { deliveredFilesIn } from './delivered-files.ts'
import { draftsIn } from './drafts.ts'
import { createFolderShelf, createMemoryShelf, type FileShelf } from './file-shelf.ts'
import { foldersIn } from './folders.ts'
import { createIntegrity, type Integrity } from './integrity.ts'
import { jobFilesIn } from './job-files.ts'
import { jobPartsIn } from './job-parts.ts'
import { jobsIn } from './jobs.ts'
import { keyUseIn } from './key-use.ts'
import { knowledgeIn, removeUnfinishedDocuments } from './knowledge.ts'
import { localKeysIn } from './local-keys.ts'
import { interruptStreaming, messagesIn } from './messages.ts'
import { migrations } from './migrations/index.ts'
import { namedFiles } from './named-files.ts'
import { openDatabase, writeDatabase } from './open-database.ts'
import { paymentsIn } from './payments.ts'
import { projectsIn } from './projects.ts'
import { promptsIn } from './prompts.ts'
import { receiptsIn } from './receipts.ts'
import { HiddenRecords, removalsIn } from './removals.ts'
import { settingsIn } from './settings.ts'
import { chargeHolds, spendingIn } from './spending.ts'
import { readOr, type SealedDatabase } from './sealed-database.ts'
import { watchRows } from './sealed-root.ts'
import type { Store, StoreOptions } from './store.ts'
import { markUnknownCalls, toolsIn } from './tools.ts'
import { topupsIn } from './topups.ts'
import { verdictsIn } from './verdicts.ts'
import { verifiedEnclavesIn } from './verified-enclaves.ts'

export type { ConversationPatch, MessagePatch } from './conversation-store.ts'
export type { StoredPassage } from './knowledge-store.ts'
export type { Removal } from './removals.ts'
export type { DeliveredFiles, PaymentJournal } from './payment-store.ts'
export type { LocalKey, ReceiptPlace } from './request-store.ts'
export type { Store, StoreOptions } from './store.ts'
export type { TopupRecord } from './topups.ts'

/** Subfolder of the store for the files that were delivered for payments, and the files of jobs. */
const DELIVERED = 'delivered'
/** Subfolder of the store for the attachments of messages and drafts. */
const ATTACHED = 'attachments'

/**
 * Opens the records of a folder, or creates them in memory. Marks messages as interrupted if a killed
 * process was writing them, and charges the amounts that it had reserved. Only the owner of the folder may
 * call this. Throws SottoError `store/damaged` (also if the key is wrong), `store/newer-version`,
 * `store/schema-changed` or `store/unwritable`; a file that isn't opened doesn't change. Throws RangeError
 * if the key doesn't have 32 bytes.
 */
export function createStore({ folder, key, now, leastRevision }: StoreOptions): Store {
  const database = openDatabase(folder, key, migrations)
  const memory = { delivered: createMemoryShelf(), attached: createMemoryShelf() }
  let shelves: { readonly delivered: FileShelf; readonly attached: FileShelf } = memory
  const settings = settingsIn(database)
  let records: ReturnType<typeof createRecords>
  let attachments: ReturnType<typeof attachmentsIn>
  let integrity: Integrity
  try {
    integrity = createIntegrity(database, leastRevision)
    interruptStreaming(database)
    chargeHolds(database)
    markUnknownCalls(database)
    removeUnusedAttachments(database)
    removeUnfinishedDocuments(database)
    if (folder !== null) {
      shelves = {
        delivered: createFolderShelf(join(folder, DELIVERED), namedFiles(database)),
        attached: createFolderShelf(join(folder, ATTACHED), namedAttachmentFiles(database)),
      }
    }
    attachments = attachmentsIn(database, shelves.attached, now)
    records = createRecords(database, settings, integrity, now, attachments.tidySoon)
  } catch (error) {
    database.close()
    throw error
  }
  const deferred = deferWrites(database)
  let inMemory = folder === null
  return {
    ...records,
    changes: changesIn(database),
    receipts: receiptsIn(database, deferred),
    localKeys: localKeysIn(database, now),
    keyUse: keyUseIn(database, deferred),
    spending: spendingIn(database, deferred),
    settings,
    verdicts: verdictsIn(database),
    verifiedEnclaves: verifiedEnclavesIn(database),
    collateral: collateralIn(database),
    payments: paymentsIn(database, now),
    deliveredFiles: deliveredFilesIn(database, shelves.delivered),
    jobs: jobsIn(database),
    jobParts: jobPartsIn(database),
    jobFiles: jobFilesIn(database, shelves.delivered),
    tools: toolsIn(database),
    topups: topupsIn(database),
    prompts: promptsIn(database, now),
    folders: foldersIn(database),
    projects: projectsIn(database, now),
    knowledge: knowledgeIn(database, now),
    integrity,
    attachments,
    drafts: draftsIn(database, attachments, now, attachments.tidySoon),
    atOnce: (work) => database.transaction(work),
    moveTo(target, newKey) {
      if (!inMemory) throw new Error('Only a store in memory can become a file.')
      deferred.flush()
      // Copy the files first, so that each file in the database exists.
      const copies = [memory.delivered.copyTo(join(target, DELIVERED))]
      try {
        copies.push(memory.attached.copyTo(join(target, ATTACHED)))
        database.replace((former, dataKey) => writeDatabase(former, dataKey, target, newKey))
        watchRows(database)
      } catch (error) {
        for (const copy of copies) copy.discard()
        throw error
      }
      for (const copy of copies) copy.use()
      inMemory = false
    },
    close() {
      try {
        deferred.flush()
      } finally {
        deferred.stop()
        database.close()
      }
    },
  }
}

/** Opens conversations and messages, and deletes the records that an earlier process left hidden. */
function createRecords(
  database: SealedDatabase,
  settings: Store['settings'],
  integrity: Integrity,
  now: () => number,
  released: () => void,
): Pick<Store, 'conversations' | 'messages' | 'removals'> {
  const hidden = new HiddenRecords(settings, database)
  const conversations = conversationsIn(database, hidden, now, released)
  const messages = messagesIn(database, hidden, now, released)
  const removals = removalsIn({ hidden, conversations, messages, database })
  // The settings name the hidden records. If another program changed the settings, nothing may be deleted
  // because of them.
  if (integrity.changes().length > 0) return { conversations, messages, removals }
  // A damaged record stays hidden.
  for (const removal of hidden.all()) readOr(() => removals.finish(removal), undefined)
  return { conversations, messages, removals }
}
