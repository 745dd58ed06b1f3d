import { toAsyncIterable } from '../../../shared/byte-buffer.ts'
import type { JobPart } from '../../../shared/job-record.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { PaymentRecord } from '../../payments/index.ts'
import type { HandlerOptions } from '../handlers/job-handler.ts'
import type { Failure } from '../failure.ts'

/** Responses that are too long for a row are files of the job, numbered by the index of the row. */
const FIRST_ANSWER = 1_000_000
const LONGEST_IN_ROW = 256 * 1024

/** The file index of a row's response, if it's too long for the row. */
export const answerFileOf = (part: number): number => FIRST_ANSWER + part

/** The row as it is sent. It counts as sent from here on. */
export function leaving(
  before: JobPart,
  { at, price, purchaseId }: { readonly at: number; readonly price: bigint; readonly purchaseId?: string },
): JobPart {
  const { part, cost, paidMsat } = before
  return {
    part,
    state: 'sending',
    sentAt: at,
    price: price.toString(),
    held: (BigInt(before.held ?? 0) + BigInt(before.price ?? 0)).toString(),
    ...(cost !== undefined && { cost }),
    ...(paidMsat !== undefined && { paidMsat }),
    ...(purchaseId !== undefined && { purchaseId }),
  }
}

/** The row wasn't sent, or the service refused it, and nothing was paid. */
export function unsent({ part, held, cost, paidMsat }: JobPart): JobPart {
  return {
    part,
    state: 'ready',
    ...(held !== undefined && { held }),
    ...(cost !== undefined && { cost }),
    ...(paidMsat !== undefined && { paidMsat }),
  }
}

/** The row is to be sent again. A purchase that was paid and not delivered stays with it. */
export function readyAgain(before: JobPart, keepsPurchase: boolean): JobPart {
  const { part, cost, paidMsat, purchaseId } = before
  return {
    part,
    state: 'ready',
    held: (BigInt(before.held ?? 0) + BigInt(before.price ?? 0)).toString(),
    ...(cost !== undefined && { cost }),
    ...(paidMsat !== undefined && { paidMsat }),
    ...(keepsPurchase && purchaseId !== undefined && { purchaseId }),
  }
}

/** The row failed, and the service may have charged for it. */
export function failedRow({ price, ...rest }: JobPart, failure: Failure, receiptId?: string): JobPart {
  return {
    ...rest,
    ...settled(rest.held, price),
    state: 'failed',
    failure,
    ...(receiptId !== undefined && { receiptId }),
  }
}

/**
 * The row was sent, and it's unknown whether the service processed it. Its highest possible cost counts
 * towards the cap.
 */
export function unknownRow(part: JobPart, receiptId?: string): JobPart {
  return {
    ...part,
    state: 'unknown',
    failure: { code: 'studio/outcome-unknown' },
    ...(receiptId !== undefined && { receiptId }),
  }
}

/**
 * The row with its response, which is saved.
 *
 * @param cost in pico-USD, if the service reported it
 */
export async function answeredRow(
  jobId: string,
  { price, failure: _, ...part }: JobPart,
  bytes: Uint8Array,
  { cost, receiptId }: { readonly cost?: string | undefined; readonly receiptId?: string | undefined },
  files: HandlerOptions['files'],
): Promise<JobPart> {
  const long = bytes.byteLength > LONGEST_IN_ROW
  if (long) await files.save(jobId, answerFileOf(part.part), toAsyncIterable(bytes))
  return {
    ...part,
    ...settled(part.held, cost ?? price),
    state: 'done',
    answerBytes: bytes.byteLength,
    ...(!long && { answer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') }),
    ...(cost !== undefined && { cost: (BigInt(part.cost ?? 0) + BigInt(cost)).toString() }),
    ...(receiptId !== undefined && { receiptId }),
  }
}

/**
 * The state of a row that is paid per request, from its purchase. Returns null if there is nothing new.
 */
export async function rowOfPurchase(
  jobId: string,
  before: JobPart,
  record: PaymentRecord,
  { files, delivered }: Pick<HandlerOptions, 'files' | 'delivered'>,
): Promise<JobPart | null> {
  const { state, failure, receiptId } = record
  const paid: JobPart = { ...before, paidMsat: (record.amountMsat + (record.feeMsat ?? 0n)).toString() }
  switch (state) {
    case 'quoted':
    case 'paying':
    case 'held':
    case 'unknown':
    case 'paid':
      return null
    case 'declined':
    case 'expired':
    case 'failed':
      return unsent(before)
    case 'undelivered':
      return failedRow(paid, failure ?? { code: 'payment/undelivered' }, receiptId)
    case 'closed':
      return failedRow(before, { code: 'payment/closed-by-user' }, receiptId)
    case 'given-up':
      return failedRow(paid, { code: 'payment/abandoned' }, receiptId)
    case 'delivered': {
      const bytes = await delivered.read(record.id, 0)
      return bytes
        ? answeredRow(jobId, paid, bytes, { receiptId }, files)
        : failedRow(
            paid,
            { code: 'payment/undelivered', detail: msg('The delivered result is no longer saved.') },
            receiptId,
          )
    }
  }
}

function settled(reserved: string | undefined, price: string | undefined): { held: string } {
  return { held: (BigInt(reserved ?? 0) + BigInt(price ?? 0)).toString() }
}
