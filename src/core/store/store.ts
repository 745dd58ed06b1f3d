import type { Attachment, Draft } from '../../shared/attachment.ts'
import type { JobKind } from '../../shared/job-ask.ts'
import type { JobPart, JobRecord } from '../../shared/job-record.ts'
import type { RowState } from '../../shared/job-rows.ts'
import type { AnswerEnd, Citation, ToolCall } from '../../shared/answer-parts.ts'
import type { KeyLimits } from '../../shared/key-limits.ts'
import type { ChatParameters, Conversation, Message } from '../../shared/conversation.ts'
import type { PaymentRecord } from '../../shared/payment-record.ts'
import type { Folder, Prompt } from '../../shared/prompt.ts'
import type { Proof } from '../../shared/proof.ts'
import type { Receipt } from '../../shared/receipt.ts'
import type { Removal } from './removals.ts'
import type { TopupRecord } from './topups.ts'
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
  citations?: Citation[]
  toolCalls?: ToolCall[]
  end?: AnswerEnd
  state?: Message['state']
  receiptId?: string
  privacy?: Exclude<Message['privacy'], undefined>
  errorCode?: string
}

/** Absent members stay as they are; null, false and what is empty take away. */
export interface ConversationPatch {
  leafId?: string | null | undefined
  pinned?: boolean | undefined
  folderId?: string | null | undefined
  systemPrompt?: string | undefined
  parameters?: ChatParameters | undefined
}

/**
 * One data folder's records. Synchronous. Whatever is read throws `store/damaged` where it cannot be opened under the key,
 * and whatever writes throws `store/unwritable` where the disk refuses.
 */
export interface Store {
  readonly conversations: {
    /** The last touched first. One that does not open is among them, as `damaged`. */
    list(): Conversation[]
    /** As get; one that does not open is `damaged`. */
    readable(id: string): Conversation | null
    get(id: string): Conversation | null
    create(conversation: Pick<Conversation, 'model' | 'private' | 'title' | 'systemPrompt' | 'parameters' | 'imported' | 'folderId'>): Conversation
    /** Throws `conversation/unknown`. */
    change(id: string, patch: ConversationPatch): Conversation
    /** Throws `conversation/unknown`. */
    rename(id: string, title: string): Conversation
    /** Sets `updatedAt` to now. Throws `conversation/unknown`. */
    touch(id: string, patch?: ConversationPatch): Conversation
    /** As it is, under its own id, which nothing has yet. */
    insert(conversation: Conversation): void
    /** With its messages; false where there is none. */
    remove(id: string): boolean
  }
  readonly messages: {
    /** In the order in which they were added, of every branch; what is hidden is left out. */
    of(conversationId: string): Message[]
    /** As of; in the place of one that does not open stands one that is `damaged`. */
    readable(conversationId: string): Message[]
    get(id: string): Message | null
    /** Now, unless it is said when. Throws `conversation/unknown`. */
    add(message: Omit<Message, 'id' | 'createdAt'> & { createdAt?: number }): Message
    /** As it is, under its own id, which nothing has yet, in a conversation that is there. */
    insert(message: Message): void
    /** Throws `conversation/unknown` where the message went with its conversation. */
    update(id: string, patch: MessagePatch): Message
  }
  readonly changes: {
    /**
     * What was added, changed or removed since it was last asked, in no order; null the first time, and where that is not
     * known: then everything may have.
     */
    take(): { kind: 'conversation' | 'message'; id: string }[] | null
  }
  /** What was removed and may be taken back: no list and no look has it. What is still hidden at the next opening is deleted then. */
  readonly removals: {
    /** False where there is nothing to hide. */
    hide(removal: Removal): boolean
    /** False where it is not hidden. */
    takeBack(removal: Removal): boolean
    /** Deletes what is hidden; nothing where it is not. */
    finish(removal: Removal): void
  }
  readonly receipts: {
    /** Written within 50 ms, with others; one put again by the same id replaces the first. */
    put(receipt: Receipt): void
    get(id: string): Receipt | null
    /** The newest first. */
    list(limit: number): Receipt[]
    /** Begun from the one moment (Unix ms) to the other, both included; the oldest first. */
    between(from: number, until: number, limit: number): Receipt[]
    /** Of local keys, or of one; the newest first, after this place. */
    listOfKeys(which: { keyId?: string; after?: ReceiptPlace; limit: number }): { place: ReceiptPlace; receipt: Receipt }[]
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
    change(id: string, patch: Partial<Pick<LocalKey, 'name' | 'hash' | 'limits' | 'first' | 'revokedAt'>>): LocalKey | null
  }
  readonly keyUse: {
    of(keyId: string): KeyUse | null
    /** Counts one request. Written within 50 ms, with others. */
    note(keyId: string, at: number): void
  }
  /** Money of local keys in pico-USD, by day (UTC, since 1970-01-01). core/payment has the rules. */
  readonly spending: {
    spent(keyId: string): Map<number, bigint>
    /** All that is held of the day. It outlives the process when this returns: at the next opening it is charged. */
    hold(keyId: string, day: number, held: bigint): void
    /** Written within 50 ms, with others: what is still held, and the day's new sum, in one transaction. */
    settle(keyId: string, day: number, held: bigint, spent: bigint): void
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
  /** The journal of Lightning payments. core/payment has the rules. */
  readonly payments: {
    /**
     * Returns once the record outlives this process and the machine's power. A request that has no bytes leaves none behind.
     * Where it throws, nothing changed.
     */
    put(payment: PaymentRecord): void
    get(id: string): PaymentRecord | null
    /** The first one first. */
    byPaymentHash(paymentHash: string): readonly PaymentRecord[]
    /** All but what was declined, failed, expired or delivered; the first one first. */
    open(): readonly PaymentRecord[]
    /** The newest first. */
    list(limit: number): readonly PaymentRecord[]
    /** Whatever was reserved since then (Unix ms) and did not certainly fail; `settled` where it is certain that it was paid. */
    reservedSince(at: number): readonly { readonly host: string; readonly amountMsat: bigint; readonly feeMsat: bigint; readonly at: number; readonly settled: boolean }[]
    /** A host is added when a payment to it is first put as paid. */
    paidHosts(): readonly { readonly host: string; readonly firstPaidAt: number }[]
    forgetHost(host: string): void
  }
  /** What was delivered for payments, sealed in files. */
  readonly deliveredFiles: {
    /** In place of what was there; returns the number of bytes. Throws what the content throws, and then nothing is kept of it. */
    save(paymentId: string, index: number, content: AsyncIterable<Uint8Array>): Promise<number>
    /** Null where there is none. */
    read(paymentId: string, index: number): Promise<Uint8Array | null>
    /** Piece by piece, each as it was saved; the last is passed on before it is known whether more should follow. */
    stream(paymentId: string, index: number): AsyncIterable<Uint8Array> | null
    remove(paymentId: string): Promise<void>
  }
  /** What is asked of the service beside chat. core/studio has the rules. What is hidden is in no list and no look. */
  readonly jobs: {
    /** Returns once it outlives this process and the machine's power. */
    put(job: JobRecord): void
    get(id: string): JobRecord | null
    ofPurchase(purchaseId: string): JobRecord | null
    /** All but what is done, failed, stopped or lost; the first one first. */
    open(): JobRecord[]
    /** The newest first, of those before this place. */
    list(question: { readonly kinds?: readonly JobKind[]; readonly before?: number; readonly limit: number }): { readonly place: number; readonly job: JobRecord }[]
    /** False where there is nothing to hide. */
    hide(id: string): boolean
    /** False where it is not hidden. */
    takeBack(id: string): boolean
    /** Ids of what is hidden, and the purchase of one. */
    hidden(): string[]
    hiddenPurchase(id: string): string | null
    /** With its parts, and not its files. */
    remove(id: string): void
  }
  /** Rows of batches, by their place; one of which there is nothing to say has none here. */
  readonly jobParts: {
    /** Returns once it outlives this process and the machine's power. */
    put(jobId: string, part: JobPart): void
    get(jobId: string, part: number): JobPart | null
    /** In their order, from this place on. */
    list(jobId: string, question: { readonly from: number; readonly limit: number; readonly states?: readonly RowState[] }): JobPart[]
    /** Of those in these states, without so many of the first. */
    nth(jobId: string, question: { readonly skip: number; readonly limit: number; readonly states: readonly RowState[] }): JobPart[]
    /** Their places alone. */
    places(jobId: string, states: readonly RowState[]): number[]
    count(jobId: string, states: readonly RowState[]): number
  }
  /** The files of jobs, sealed. */
  readonly jobFiles: {
    /** In place of what was there; returns the number of bytes. Throws what the content throws, and then nothing is kept of it. */
    save(jobId: string, index: number, content: AsyncIterable<Uint8Array>): Promise<number>
    /** Names a file that a payment or another job has; the bytes are there once. Null where there is none; else their number. */
    adopt(jobId: string, index: number, from: { readonly paymentId: string; readonly index: number } | { readonly jobId: string; readonly index: number }): Promise<number | null>
    /** In bytes; null where there is none. */
    size(jobId: string, index: number): number | null
    /** From this byte on; null where there is none. Throws store/damaged as it is read. */
    stream(jobId: string, index: number, from?: number): AsyncIterable<Uint8Array> | null
    /** All of the job's, or one. */
    remove(jobId: string, index?: number): Promise<void>
  }
  readonly topups: {
    /** The newest first. */
    list(): TopupRecord[]
    get(id: string): TopupRecord | null
    /** Returns once it outlives the machine's power. */
    put(topup: TopupRecord): void
    remove(id: string): boolean
  }
  /** The prompt library, in the order in which they were added. */
  readonly prompts: {
    list(): Prompt[]
    get(id: string): Prompt | null
    /** In place of the one with this id; where none is said, another one. */
    put(prompt: Omit<Prompt, 'id' | 'updatedAt'> & { id?: string }): Prompt
    remove(id: string): boolean
  }
  /** In the order in which they were added. What is in one stands in the conversations. */
  readonly folders: {
    list(): Folder[]
    put(folder: Omit<Folder, 'id'> & { id?: string }): Folder
    remove(id: string): boolean
  }
  /**
   * What was attached, sealed in files. Each stays as long as a message or a draft has it; one that neither has is gone at the
   * next opening.
   */
  readonly attachments: {
    /** Returns once it outlives the machine's power. */
    add(about: Omit<Attachment, 'id' | 'bytes'>, content: Uint8Array): Promise<Attachment>
    /** As it is, under its own id, which nothing has yet. */
    insert(attachment: Attachment, content: Uint8Array): Promise<void>
    get(id: string): Attachment | null
    /** Null where there is none. */
    read(id: string): Promise<Uint8Array | null>
    /** False where it is not there, or a message or a draft has it. */
    removeUnused(id: string): Promise<boolean>
  }
  /** What was written and attached, and not sent, by conversation; `new` is the one that has not begun. */
  readonly drafts: {
    /** The last saved first. One that cannot be opened is left out, and stays until it is written over. */
    list(): Draft[]
    /** Of its attachments, those that are here. One that says nothing is removed. */
    save(draft: Draft): void
  }
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
