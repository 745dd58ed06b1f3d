import { SottoError } from '../../../shared/errors.ts'
import type { JobAsk, JobKind, StoredAsk } from '../../../shared/job-ask.ts'
import type { JobRecord } from '../../../shared/job-record.ts'
import type { RowState } from '../../../shared/job-rows.ts'
import type { JobEstimate } from '../../../shared/job.ts'
import type { SourceFile } from '../requests/image-request.ts'
import type { StudioOptions } from '../index.ts'
import type { SendOptions } from '../send.ts'
import type { PlaintextAsk, PayableAsk } from '../service.ts'
import type { LineFiles } from '../tables/line-file.ts'

/** The dependencies of a handler. */
export interface HandlerOptions extends SendOptions {
  /** Set if the owner wants no further part of the job sent. */
  readonly stopped: (id: string) => 'stopped' | 'paused' | undefined
  readonly parts: StudioOptions['store']['jobParts']
  readonly delivered: Pick<StudioOptions['store']['deliveredFiles'], 'read'>
  readonly payer: StudioOptions['payer']
  readonly lines: LineFiles
  /** Unix ms. */
  readonly now: () => number
}

/** How one kind of job runs, from its request to its stored results. */
export interface JobHandler {
  /** Validates the parameters for this revision. Throws request/invalid, service/not-offered, studio/…. */
  check(ask: JobAsk | StoredAsk): void
  /** The request if it's paid per request; absent if the service doesn't sell it so. */
  payable?: (ask: StoredAsk, source?: SourceFile) => Promise<PayableAsk>
  /** The request whose price the price list is asked for. @param seconds of a recording, if known */
  estimated(ask: StoredAsk, seconds?: number): Promise<PlaintextAsk>
  /** Set if each part is a purchase when the balance doesn't pay. */
  readonly paysParts?: true
  /** The total cost of a job that is sent in many requests. Throws studio/…, like sending it. */
  estimateAll?(ask: JobAsk): Promise<JobEstimate>
  /**
   * Sends the job, which the balance pays unless `paysParts` is set. Resolves once it's answered or has
   * ended. @param rows states of rows that were sent before, and are to be sent again
   */
  send(job: JobRecord, source?: SourceFile, rows?: readonly RowState[]): Promise<void>
  /**
   * Handles a job that was recorded as sent by a process that ended. Absent if it can't be known whether
   * the service processed the job.
   */
  interrupted?(job: JobRecord): Promise<void>
  /** Asks the service now for the progress. */
  poll?(job: JobRecord): Promise<void>
  /** Follows a job that the service is working on. Resolves once it's answered or has ended. */
  follow?(job: JobRecord): Promise<void>
  /**
   * Saves the files that the stored response names. If the response shows that the service is still working
   * on the job, the job becomes `working` again. Throws service/media-expired, service/…, store/….
   */
  save(job: JobRecord): Promise<void>
}

/**
 * Narrows an ask to this kind, because each handler receives only its own kind. Throws proxy/internal
 * otherwise.
 */
export function ofKind<Kind extends JobKind, Ask extends { readonly kind: JobKind }>(
  kind: Kind,
  ask: Ask,
): Extract<Ask, { readonly kind: Kind }> {
  if (!isOf(kind, ask)) throw new SottoError('proxy/internal')
  return ask
}

function isOf<Kind extends JobKind, Ask extends { readonly kind: JobKind }>(
  kind: Kind,
  ask: Ask,
): ask is Extract<Ask, { readonly kind: Kind }> {
  return ask.kind === kind
}
