import { SottoError } from '../../../shared/errors.ts'
import type { JobAsk, JobKind, StoredAsk } from '../../../shared/job-ask.ts'
import type { JobRecord } from '../../../shared/job-record.ts'
import type { RowState } from '../../../shared/job-rows.ts'
import type { JobEstimate } from '../../../shared/job.ts'
import type { Given } from '../requests/image-request.ts'
import type { StudioOptions } from '../index.ts'
import type { SendOptions } from '../send.ts'
import type { PlaintextAsk, PayableAsk } from '../service.ts'
import type { LineFiles } from '../tables/line-file.ts'

/** What a course works with. */
export interface HandlerOptions extends SendOptions {
  /** Its owner wants no further part of it sent. */
  readonly stopped: (id: string) => 'stopped' | 'paused' | undefined
  readonly parts: StudioOptions['store']['jobParts']
  readonly delivered: Pick<StudioOptions['store']['deliveredFiles'], 'read'>
  readonly payer: StudioOptions['payer']
  readonly lines: LineFiles
  /** Unix ms. */
  readonly now: () => number
}

/** How one kind of job goes, from its request to what is kept of it. */
export interface JobHandler {
  /** Its words, by what this revision has. Throws request/invalid, service/not-offered, studio/…. */
  check(ask: JobAsk | StoredAsk): void
  /** The request where it is paid by itself; absent where the service does not sell it so. */
  payable?: (ask: StoredAsk, given?: Given) => Promise<PayableAsk>
  /** The request whose cost is asked of the listing. @param seconds of a recording, where they are known */
  estimated(ask: StoredAsk, seconds?: number): Promise<PlaintextAsk>
  /** Each of its parts is paid by itself, where it is not paid from the balance. */
  readonly paysParts?: true
  /** Of what is sent in many requests: what all of them can cost. Throws studio/…, as one that is sent. */
  estimateAll?(ask: JobAsk): Promise<JobEstimate>
  /** Sends it, from the balance where it is not `paysParts`. Resolves once it is answered, or has ended. @param rows that were sent before, and are to be sent again */
  send(job: JobRecord, given?: Given, rows?: readonly RowState[]): Promise<void>
  /** It was noted as sent by a process that ended: says what is known. Absent where nobody knows whether it was done. */
  interrupted?(job: JobRecord): Promise<void>
  /** Asks the service now how far it is. */
  poll?(job: JobRecord): Promise<void>
  /** The service works on it: resolves once it is answered, or has ended. */
  follow?(job: JobRecord): Promise<void>
  /** Keeps what its kept answer names; where that turns out to say that the service is at work on it still, it is `working` again. Throws service/media-expired, service/…, store/…. */
  save(job: JobRecord): Promise<void>
}

/** What was asked, which has to be of this kind: each course is given its own. Throws proxy/internal otherwise. */
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
