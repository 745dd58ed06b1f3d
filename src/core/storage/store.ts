import type { ConversationStore } from './conversation-store.ts'
import type { Integrity } from './integrity.ts'
import type { JobStore } from './job-store.ts'
import type { PaymentStore } from './payment-store.ts'
import type { RequestStore } from './request-store.ts'
import type { VerdictStore } from './verdict-store.ts'

/** Where a store stands, and what opens it. */
export interface StoreOptions {
  /** Where `sotto.db` stands; null keeps everything in memory. */
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
 * One data folder's records. Synchronous, but for the content of files. Whatever is read throws `store/damaged` where it cannot
 * be opened under the key, and whatever writes throws `store/unwritable` where the disk refuses.
 */
export interface Store extends ConversationStore, RequestStore, VerdictStore, PaymentStore, JobStore {
  readonly settings: {
    get(name: string): string | null
    set(name: string, value: string): void
  }
  readonly integrity: Integrity
  /** All of it or nothing. Returns what the work returns. */
  atOnce<T>(work: () => T): T
  /**
   * A store in memory becomes `sotto.db` in this folder under this key, with everything in it.
   * Throws `store/damaged` where the folder has a database already, and leaves both as they are.
   */
  moveTo(folder: string, key: Uint8Array): void
  /** Writes what waits and lets go of the file. */
  close(): void
}
