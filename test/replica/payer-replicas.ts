import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import {
  createLimitClock,
  createPayer,
  createSingleRequests,
  limitMarksIn,
  type PaymentOutcome,
} from '../../src/core/payments/index.ts'
import type { PurchaseResult } from '../../src/core/gateway/relay/index.ts'
import { resumedAtIn } from '../../src/core/payments/wallet/spending-settings.ts'
import { DataKey } from '../../src/replica/data-key.ts'
import type { Database } from '../../src/replica/database.ts'
import { takePayerLock } from '../../src/replica/payer-lock.ts'
import { createSharedJournal, JournalCache } from '../../src/replica/payment-journal.ts'
import { ReplicaPayer } from '../../src/replica/replica-payer.ts'
import { HOST, ScriptedService, ScriptedWallet, searchRequest } from '../core/payments/payer-world.ts'

export const KEY = Buffer.alloc(32, 7)
const never = new AbortController().signal

/** A service and a wallet that replicas share. The wallet remembers its payments, as a real one does. */
export class PayerTeam {
  readonly service = new ScriptedService(Date.now, [])
  readonly wallet: ScriptedWallet
  /** States of the payments at the wallet, by hash. */
  readonly paid = new Map<string, 'pending' | 'settled'>()
  limits = {
    perPayment: 1_000_000n,
    perDay: 1_000_000_000n,
    perHostAndDay: 1_000_000_000n,
    automaticUpTo: 1_000_000n,
  }
  /** How long the wallet takes. */
  walletMs = (): number => 0

  constructor() {
    this.wallet = new ScriptedWallet(async (invoice): Promise<PaymentOutcome> => {
      const paymentHash = this.service.issued.find((minted) => minted.invoice === invoice)?.paymentHash ?? ''
      this.paid.set(paymentHash, 'pending')
      await setTimeout(this.walletMs())
      this.paid.set(paymentHash, 'settled')
      return this.service.paid(invoice)
    }, [])
    this.wallet.looks = (paymentHash) => {
      const state = this.paid.get(paymentHash)
      if (state === undefined) return { state: 'not-found' }
      return state === 'pending'
        ? { state }
        : { state, preimage: this.service.preimageOf(paymentHash), feeMsat: 1000n }
    }
  }

  /** A replica's payer, which ends with the test. */
  replica(
    database: Database,
    change: { readonly waitMs?: number; readonly lingerMs?: number } = {},
  ): ReplicaPayer {
    const { service, wallet } = this
    const replica = new ReplicaPayer({
      database,
      key: new DataKey(KEY),
      now: Date.now,
      waitMs: 20_000,
      lingerMs: 1_000,
      hasWallet: () => Promise.resolve(true),
      createPayer: ({ payments: journal, deliveredFiles: files }) => {
        const payer = createPayer({
          journal,
          files,
          transport: service,
          wallet: () => wallet,
          service: { host: HOST, lightningNetwork: 'regtest', kind: 'service' },
          limits: () => this.limits,
          confirm: {
            ask: () => Promise.resolve(false),
            pending: () => null,
            answer: () => ({ accepted: false }),
          },
          now: Date.now,
          // Each payment is in a minute of its own, because of the limit for tools that pay too fast.
          monotonic: () => performance.now() * 1e6,
          limitClock: createLimitClock({
            now: Date.now,
            monotonic: () => performance.now(),
            marks: limitMarksIn(journal.settings),
          }),
          resumedAt: resumedAtIn(journal.settings),
          requireIntact: () => undefined,
        })
        return Promise.resolve({
          single: createSingleRequests({ payer, journal, files, wallet: () => wallet, now: Date.now }),
          resume: () => payer.resume(),
          [Symbol.asyncDispose]: () => payer[Symbol.asyncDispose](),
        })
      },
      ...change,
    })
    onTestFinished(() => replica[Symbol.asyncDispose]())
    return replica
  }
}

/** Permits tools to pay the scripted service without a person. */
export async function allowHost(database: Database): Promise<void> {
  await using lock = await takePayerLock(database, { waitMs: 5_000, signal: never })
  const cache = new JournalCache(new DataKey(KEY))
  const journal = await createSharedJournal({ lock, cache, now: Date.now })
  journal.allowHost(HOST)
  await journal.close()
}

/** The journal as the next payer reads it. */
export async function readJournal(database: Database): Promise<JournalCache['memory']> {
  const cache = new JournalCache(new DataKey(KEY))
  await cache.refresh((schema, text, values) => database.query(schema, text, values))
  return cache.memory
}

/** A tool's purchase, whose answer it reads. The same query is the same request. */
export async function buy(replica: ReplicaPayer, query: string): Promise<PurchaseResult> {
  const result = await buyUnread(replica, query)
  result.onRead?.()
  return result
}

/** A tool's purchase until its answer is ready. */
export function buyUnread(replica: ReplicaPayer, query: string): Promise<PurchaseResult> {
  return replica.buy(
    {
      request: { ...searchRequest, body: new TextEncoder().encode(JSON.stringify({ q: query })) },
      caller: { kind: 'proxy', localKeyId: 'key-1' },
      subject: 'websearch/search',
      receiptId: `receipt-${query}`,
    },
    {
      signal: never,
      onBuying: () => Promise.resolve(),
      onJoined: () => undefined,
      onLeaving: () => undefined,
      onPaid: () => undefined,
    },
  )
}
