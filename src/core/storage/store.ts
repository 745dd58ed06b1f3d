import type { ConversationStore } from './conversation-store.ts'
import type { Integrity } from './integrity.ts'
import type { JobStore } from './job-store.ts'
import type { KnowledgeStore } from './knowledge-store.ts'
import type { PaymentStore } from './payment-store.ts'
import type { RequestStore } from './request-store.ts'
import type { ToolStore } from './tool-store.ts'
import type { VerdictStore } from './verdict-store.ts'

/** The location and the key of a store. */
export interface StoreOptions {
  /** The folder of `sotto.db`; null stores everything in memory. */
  folder: string | null
  /** 32 bytes from the vault; the store keeps a copy. */
  key: Uint8Array
  /** Unix ms. */
  now: () => number
  /**
   * The revision of the sealed root that the vault remembers; undefined if it remembers none. With one, a database without a root,
   * or with an older one, is reported as changed.
   */
  leastRevision?: number | undefined
}

/**
 * The records of one data folder. All methods are synchronous, except those for the content of files. Reads
 * throw `store/damaged` if a record can't be opened with the key, and writes throw `store/unwritable` if
 * the disk fails.
 */
export interface Store
  extends ConversationStore, RequestStore, VerdictStore, PaymentStore, JobStore, KnowledgeStore, ToolStore {
  readonly settings: {
    get(name: string): string | null
    set(name: string, value: string): void
  }
  readonly integrity: Integrity
  /** Runs the work as one transaction, and returns its result. */
  atOnce<T>(work: () => T): T
  /**
   * Turns a store in memory into `sotto.db` in this folder under this key, with all of its content. Throws
   * `store/damaged` if the folder has a database already; both remain unchanged then.
   */
  moveTo(folder: string, key: Uint8Array): void
  /** Writes pending data and closes the file. */
  close(): void
}
