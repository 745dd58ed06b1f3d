import type { Conversation, Message } from '../../shared/conversation.ts'
import type { Receipt } from '../../shared/receipt.ts'
import type { Verdict } from '../../shared/verdict.ts'

export interface StoreOptions {
  /** Where `sotto.db` stands; null keeps everything in memory. */
  folder: string | null
  /** 32 bytes from the vault; the store keeps a copy. */
  key: Uint8Array
  /** Unix ms. */
  now: () => number
}

export interface LocalKey {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key, lowercase hex. */
  readonly hash: string
  /** Unix ms. */
  readonly createdAt: number
}

export interface Release {
  readonly tag: string
  readonly digest: string
  /** When it was logged, in the unit of the verdict's `loggedAt`. */
  readonly logTime: number
}

/** Absent members stay as they are. */
export interface MessagePatch {
  text?: string
  reasoning?: string
  state?: Message['state']
  receiptId?: string
  privacy?: Exclude<Message['privacy'], undefined>
  errorCode?: string
}

/**
 * One data folder's records. Synchronous. Whatever is read throws `store/damaged` where it cannot be opened under the key,
 * and whatever writes throws `store/unwritable` where the disk refuses.
 */
export interface Store {
  readonly conversations: {
    /** The last touched first. */
    list(): Conversation[]
    get(id: string): Conversation | null
    create(conversation: Pick<Conversation, 'model' | 'private' | 'title'>): Conversation
    /** Throws `conversation/unknown`. */
    rename(id: string, title: string): Conversation
    /** Sets `updatedAt` to now. Throws `conversation/unknown`. */
    touch(id: string): Conversation
    /** With its messages; false where there is none. */
    remove(id: string): boolean
  }
  readonly messages: {
    /** In the order in which they were added. */
    of(conversationId: string): Message[]
    /** Throws `conversation/unknown`. */
    add(message: Omit<Message, 'id' | 'createdAt'>): Message
    /** Throws `conversation/unknown` where the message went with its conversation. */
    update(id: string, patch: MessagePatch): Message
  }
  readonly receipts: {
    /** Written within 50 ms, with others; one put again by the same id replaces the first. */
    put(receipt: Receipt): void
    get(id: string): Receipt | null
    /** The newest first. */
    list(limit: number): Receipt[]
    /** Writes what waits, now. */
    flush(): void
  }
  readonly localKeys: {
    list(): LocalKey[]
    findByHash(hash: string): LocalKey | null
    add(key: Pick<LocalKey, 'name' | 'hash'>): LocalKey
  }
  readonly settings: {
    get(name: string): string | null
    set(name: string, value: string): void
  }
  readonly verdicts: {
    /** The newest release, by log time, that a good verdict of this enclave showed. */
    newestRelease(enclaveHost: string): Release | null
    /** A verdict that is not good, or whose release has no log time, changes nothing. */
    record(verdict: Verdict): void
    /** Whether this older release was consented to since the newest one was seen. */
    acceptedOlder(enclaveHost: string, digest: string): boolean
    acceptOlder(enclaveHost: string, digest: string): void
  }
  /**
   * A store in memory becomes `sotto.db` in this folder under this key, with everything in it.
   * Throws `store/damaged` where the folder has a database already, and leaves both as they are.
   */
  moveTo(folder: string, key: Uint8Array): void
  /** Writes what waits and lets go of the file. */
  close(): void
}
