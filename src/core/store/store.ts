import type { KeyLimits } from '../../shared/key-limits.ts'
import type { Conversation, Message } from '../../shared/conversation.ts'
import type { Proof } from '../../shared/proof.ts'
import type { Receipt } from '../../shared/receipt.ts'
import type { Verdict } from '../../shared/verdict.ts'
import type { VerifiedEnclave } from '../../shared/verified-enclave.ts'

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
  readonly limits: KeyLimits
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
    get(id: string): LocalKey | null
    findByHash(hash: string): LocalKey | null
    /** Without limits, unless they are given. */
    add(key: Pick<LocalKey, 'name' | 'hash'> & Partial<Pick<LocalKey, 'limits'>>): LocalKey
    /** Gives a key these limits instead of those that it had; null where there is no such key. Holds from the next request on. */
    limit(id: string, limits: KeyLimits): LocalKey | null
  }
  /** Money of local keys in pico-USD, by day (UTC, since 1970-01-01). core/payment has the rules. */
  readonly spending: {
    spent(keyId: string): Map<number, bigint>
    /** Written when it returns. Whatever is held when the store is opened is charged to its day first. */
    hold(keyId: string, day: number, most: bigint): number
    /** Written within 50 ms, with others: the end of the hold and the day's new sum in one transaction. */
    settle(hold: number | null, keyId: string, day: number, spentThatDay: bigint): void
  }
  readonly settings: {
    get(name: string): string | null
    set(name: string, value: string): void
  }
  readonly verdicts: {
    /** The newest release, by log time, that a good verdict of this enclave showed. */
    newestRelease(enclaveHost: string): Release | null
    /** Remembers what a good verdict accepted; one that is not good changes nothing. */
    record(verdict: Verdict): void
    /** Whether this older release was consented to since the newest one was seen. */
    acceptedOlder(enclaveHost: string, digest: string): boolean
    /** To consent to it as older is to trust it. */
    acceptOlder(enclaveHost: string, digest: string): void
    /** Whether a good verdict accepted this release (as `releaseKey` names it) before, or it was consented to. */
    trusted(enclaveHost: string, release: string): boolean
    trust(enclaveHost: string, release: string): void
  }
  /** The change log of what was verified. */
  readonly verifiedEnclaves: {
    /** The last seen first. */
    of(enclaveHost: string): VerifiedEnclave[]
    /** One that is known is seen again; another is added with its proof. A verdict that is not good changes nothing. */
    record(verdict: Verdict, proof: Proof): void
    /** Null where there is none, or its evidence was too large to be kept. */
    proof(id: string): Proof | null
  }
  /**
   * A store in memory becomes `sotto.db` in this folder under this key, with everything in it.
   * Throws `store/damaged` where the folder has a database already, and leaves both as they are.
   */
  moveTo(folder: string, key: Uint8Array): void
  /** Writes what waits and lets go of the file. */
  close(): void
}
