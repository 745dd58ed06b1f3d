import type { BudgetIncrease, KeyLimits } from '../../shared/key-limits.ts'
import type { Receipt } from '../../shared/receipt.ts'

/** A key of the local API. A tool has its secret; here is its hash alone. */
export interface LocalKey {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key, lowercase hex. */
  readonly hash: string
  /** Unix ms. */
  readonly createdAt: number
  readonly limits: KeyLimits
  /** Of its budget. It stays here after it has ended. */
  readonly increase?: BudgetIncrease | undefined
  /** The one whose secret the vault keeps. */
  readonly first: boolean
  /** Unix ms. A revoked key stays, since receipts name it. */
  readonly revokedAt?: number
}

/** Requests with a receipt, and when (Unix ms) the first and the last of them was. */
export interface KeyUse {
  readonly requests: number
  readonly firstAt: number
  readonly lastAt: number
}

/** Where a receipt stands in the order of time. */
export interface ReceiptPlace {
  readonly at: number
  readonly seq: number
}

/** Receipts of requests, and the local keys that make them: what each may, used and spent. Throws as Store does. */
export interface RequestStore {
  readonly receipts: {
    /** Written within 50 ms, with others; one put again by the same id replaces the first. */
    put(receipt: Receipt): void
    get(id: string): Receipt | null
    /** The newest first. */
    list(limit: number): Receipt[]
    /** Begun from the one moment (Unix ms) to the other, both included; the oldest first. */
    between(from: number, until: number, limit: number): Receipt[]
    /** Of local keys, or of one; the newest first, after this place. */
    listOfKeys(which: {
      keyId?: string
      after?: ReceiptPlace
      limit: number
    }): { place: ReceiptPlace; receipt: Receipt }[]
    /** Writes what waits, now. */
    flush(): void
  }
  readonly localKeys: {
    /** In the order in which they were added. */
    list(): LocalKey[]
    get(id: string): LocalKey | null
    /** From memory: neither a hash that is known nor one that is not costs a look into the file. */
    findByHash(hash: string): LocalKey | null
    /** Without limits, unless they are given. */
    add(key: Pick<LocalKey, 'name' | 'hash'> & Partial<Pick<LocalKey, 'limits' | 'first'>>): LocalKey
    /** What is named takes the place of what was; null where there is no such key. Holds from the next request on. */
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
    /** All that is held of the day. It outlives the process when this returns: at the next opening it is charged. */
    hold(keyId: string, day: number, held: bigint): void
    /** Written within 50 ms, with others: what is still held, and the day's new sum, in one transaction. */
    settle(keyId: string, day: number, held: bigint, spent: bigint): void
    /** A day's corrected sum and the receipt that states why, written now in one transaction. If it throws, nothing changes. */
    correct(keyId: string, day: number, spent: bigint, receipt: Receipt): void
  }
}
