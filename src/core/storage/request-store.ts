import type { BudgetIncrease, KeyLimits } from '../../shared/key-limits.ts'
import type { Receipt } from '../../shared/receipt.ts'

/** A key of the local API. A tool has its secret; the store has only its hash. */
export interface LocalKey {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key, lowercase hex. */
  readonly hash: string
  /** Unix ms. */
  readonly createdAt: number
  readonly limits: KeyLimits
  /** A temporary increase of its budget. It's stored here even after it ended. */
  readonly increase?: BudgetIncrease | undefined
  /** Whether this is the key whose secret is in the vault. */
  readonly first: boolean
  /** Unix ms. A revoked key isn't deleted, because receipts refer to it. */
  readonly revokedAt?: number
}

/** The number of requests with a receipt, and the times (Unix ms) of the first and the last one. */
export interface KeyUse {
  readonly requests: number
  readonly firstAt: number
  readonly lastAt: number
}

/** The position of a receipt in the order of time. */
export interface ReceiptPlace {
  readonly at: number
  readonly seq: number
}

/** Receipts of requests, and the permissions, use and spending of local keys. Throws as Store does. */
export interface RequestStore {
  readonly receipts: {
    /** Written within 50 ms, with others. A later receipt with the same id replaces the first. */
    put(receipt: Receipt): void
    get(id: string): Receipt | null
    /** The newest first. */
    list(limit: number): Receipt[]
    /**
     * Receipts of requests that began between the two times (Unix ms), both included, the oldest first.
     */
    between(from: number, until: number, limit: number): Receipt[]
    /** Receipts of all local keys or of one, the newest first, after this place. */
    listOfKeys(which: {
      keyId?: string
      after?: ReceiptPlace
      limit: number
    }): { place: ReceiptPlace; receipt: Receipt }[]
    /** Writes pending receipts now. */
    flush(): void
  }
  readonly localKeys: {
    /** In the order of creation. */
    list(): LocalKey[]
    get(id: string): LocalKey | null
    /** From memory: no lookup, of a known or an unknown hash, reads the file. */
    findByHash(hash: string): LocalKey | null
    /** Without limits, unless they are specified. */
    add(key: Pick<LocalKey, 'name' | 'hash'> & Partial<Pick<LocalKey, 'limits' | 'first'>>): LocalKey
    /** Replaces the named members from the next request on. Returns null if the key doesn't exist. */
    change(
      id: string,
      patch: Partial<Pick<LocalKey, 'name' | 'hash' | 'limits' | 'increase' | 'first' | 'revokedAt'>>,
    ): LocalKey | null
  }
  readonly keyUse: {
    of(keyId: string): KeyUse | null
    /** Counts one request. Written within 50 ms, with others. */
    note(keyId: string, at: number): void
  }
  /** Money of local keys in pico-USD, by calendar day (days since 1970-01-01). core/payments has the rules. */
  readonly spending: {
    spent(keyId: string): Map<number, bigint>
    /**
     * Sets the total reservation of the day, and returns once it's durable. The next start charges it if
     * this process ends.
     */
    hold(keyId: string, day: number, reserved: bigint): void
    /**
     * Sets the remaining reservation and the day's new sum in one transaction. Written within 50 ms, with
     * others.
     */
    settle(keyId: string, day: number, reserved: bigint, spent: bigint): void
    /** A day's corrected sum and the receipt that states why, written now in one transaction. If it throws, nothing changes. */
    correct(keyId: string, day: number, spent: bigint, receipt: Receipt): void
  }
}
