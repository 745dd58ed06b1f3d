import { SottoError } from '../../shared/errors.ts'
import { readBytes } from '../../shared/limited-body.ts'
import { msg } from '../../shared/localized-text.ts'
import type { PurchaseCall, PurchaseRequest, PurchaseResult, SingleRequests } from '../gateway/relay/index.ts'
import { isPaid, isUncertain, type PaymentRecord } from '../../shared/payment-record.ts'
import { storedError } from '../rpc/failure.ts'
import type { DeliveredFiles, PaymentJournal } from '../storage/index.ts'
import type { LightningWallet } from './lightning-wallet.ts'
import type { Payer } from './payer.ts'
import { requestFingerprint } from './payment-state.ts'

/** The first delivered file is the response itself. */
const ANSWER = 0
/** The size limit of an answer without a demand. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024
/** The number of records that are searched for a job, or for an answer that no tool has read. */
const LOOK_BACK = 1000

export interface SingleRequestsOptions {
  readonly payer: Pick<Payer, 'quote' | 'pay' | 'retry' | 'claim' | 'settled' | 'get' | 'list'>
  readonly journal: Pick<PaymentJournal, 'open'>
  readonly files: Pick<DeliveredFiles, 'read'>
  readonly wallet: () => LightningWallet | null
  /** Unix ms. */
  readonly now: () => number
}

/**
 * Buys for tools. They don't know payments, and retry when no answer arrives. If a tool disconnects, or gets
 * the answer that the outcome is pending, its purchase is stored. When it sends exactly the same request
 * again, it gets that purchase and doesn't buy a second one.
 * @see docs/decisions/0006
 */
export function createSingleRequests({
  payer,
  journal,
  files,
  wallet,
  now,
}: SingleRequestsOptions): SingleRequests {
  /**
   * The last caller of each payment. A caller that disconnected no longer waits, although its purchase
   * continues.
   */
  const waiters = new Map<string, AbortSignal>()
  const isWaitedFor = (id: string): boolean => waiters.get(id)?.aborted === false

  function unclaimedOf(fingerprint: string): string | undefined {
    const isUnclaimed = ({ id, unclaimed, expiresAt }: PaymentRecord): boolean =>
      unclaimed === fingerprint && expiresAt > now() && !isWaitedFor(id)
    const isSame = (record: PaymentRecord): boolean =>
      !isWaitedFor(record.id) &&
      isDue(record, now()) &&
      record.purpose.kind === 'request' &&
      requestFingerprint(record.caller, record.purpose.request) === fingerprint
    return (payer.list(LOOK_BACK).find(isUnclaimed) ?? journal.open().find(isSame))?.id
  }

  /** Ends the wait of a caller, unless a later one waits. */
  function leave(id: string, signal: AbortSignal): void {
    if (waiters.get(id) === signal) waiters.delete(id)
  }

  /** If it can't be recorded, an equal request gets the same answer once more. */
  function claim(id: string): void {
    try {
      payer.claim(id)
    } catch {
      // The tool has its answer.
    }
  }

  async function paid(id: string, signal: AbortSignal): Promise<PaymentRecord> {
    const record = payer.get(id)
    if (record?.state === 'quoted') await payer.pay(id, { asks: 'tool' }, signal)
    else if (record && !record.delivered && isPaid(record.state)) await payer.retry(id, signal)
    // After the wallet was asked, the payment doesn't end with the caller, so its outcome is awaited.
    return payer.settled(id)
  }

  /**
   * Returns the answer. It exists while the service generates the video, and even if the files that it names
   * couldn't be fetched.
   */
  async function answerOf(record: PaymentRecord): Promise<PurchaseResult> {
    const { id, state, delivered, failure } = record
    const answer = delivered?.files[ANSWER]
    if (!delivered || !answer) {
      throw failure
        ? storedError(failure)
        : new SottoError(isUncertain(state) ? 'payment/unresolved' : 'payment/nothing-delivered')
    }
    const body = await files.read(id, ANSWER)
    if (!body) {
      claim(id)
      throw new SottoError('payment/undelivered', { detail: msg('The delivered result is no longer saved.') })
    }
    return { status: delivered.status, contentType: answer.contentType, body }
  }

  async function quoted(
    { request, ...about }: PurchaseRequest,
    { signal, onLeaving }: Pick<PurchaseCall, 'signal' | 'onLeaving'>,
  ): Promise<PaymentRecord | PurchaseResult> {
    onLeaving()
    const answer = await payer.quote(request, about, signal)
    if (answer.kind === 'quoted') return answer.record
    return {
      status: answer.status,
      contentType: answer.contentType,
      body: await readBytes(answer.body, MAX_ANSWER_BYTES),
    }
  }

  function requireWallet(): void {
    if (!wallet()) throw new SottoError('wallet/not-connected')
  }

  return {
    requireWallet,
    async quote(purchase, call) {
      const found = await quoted(purchase, call)
      if (!('id' in found))
        throw new SottoError('service/response-invalid', {
          detail: msg('The service responded without requesting payment.'),
        })
      return found.id
    },

    async buy(purchase, call) {
      requireWallet()
      const fingerprint = requestFingerprint(purchase.caller, purchase.request)
      const left = unclaimedOf(fingerprint)
      // Claimed before anything is awaited, so that two concurrent callers don't get one purchase.
      if (left === undefined) await call.onBuying()
      else {
        waiters.set(left, call.signal)
        call.onJoined()
      }
      const found = left === undefined ? await quoted(purchase, call) : payer.get(left)
      if (found && !('id' in found)) return found
      if (!found) throw new SottoError('payment/unknown')
      const { id } = found
      waiters.set(id, call.signal)
      try {
        const record = await paid(id, call.signal)
        if (left === undefined && isPaid(record.state))
          call.onPaid(record.amountMsat + (record.feeMsat ?? 0n))
        const answer = await answerOf(record)
        if (call.signal.aborted) leave(id, call.signal)
        // Until the tool has read the answer, an equal request is a purchase of its own. Without a caller, it gets
        // this one.
        else call.signal.addEventListener('abort', () => leave(id, call.signal), { once: true })
        return {
          ...answer,
          onRead: () => {
            // If another caller sent the same request in the meantime, that caller has the purchase.
            if (waiters.get(id) === call.signal) claim(id)
            leave(id, call.signal)
          },
        }
      } catch (thrown) {
        leave(id, call.signal)
        throw thrown
      }
    },

    jobOf(jobId) {
      const found = payer.list(LOOK_BACK).find(({ delivered }) => delivered?.job?.id === jobId)
      if (!found) return undefined
      const { receiptId, delivered: { statusUrl } = {} } = found
      return { ...(statusUrl !== undefined && { statusUrl }), ...(receiptId !== undefined && { receiptId }) }
    },
  }
}

/**
 * Whether it's without an answer: its outcome is uncertain, it's paid, or it's undelivered and its invoice
 * hasn't expired.
 */
function isDue({ state, expiresAt, purpose, delivered }: PaymentRecord, now: number): boolean {
  return (
    purpose.kind === 'request' &&
    !delivered &&
    (isUncertain(state) || state === 'paid' || (state === 'undelivered' && expiresAt > now))
  )
}
