import { toAsyncIterable } from '../../../shared/byte-buffer.ts'
import { createHash } from 'node:crypto'
import { SottoError } from '../../../shared/errors.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import type { FrozenRequest } from '../../../shared/payment-record.ts'
import { requireRevision, type ServiceAccess } from '../service/http/access.ts'
import { multipartBody, type FormFile } from '../service/http/multipart.ts'
import type { RequestBody } from '../service/http/perform.ts'
import { endpoints } from '../service/inference/pass-through.ts'
import type { PlaintextListings } from './plaintext-listings.ts'
import { planOf, refusePrivate, subjectOf, type RequestPlan } from './request-plan.ts'
import type { PlaintextAsk, PlaintextForm, PayableAsk } from './plaintext-request.ts'

/**
 * A request in its final bytes. It's sent first for its price and again with the proof of payment
 * (Authentication 5.3).
 */
export interface Frozen {
  readonly request: FrozenRequest
  readonly plan: RequestPlan
  readonly subject: string
}

const MAX_BODY_BYTES = 64 * 1024 * 1024

/** Whether the service accepts a payment for a single request of this kind. */
export function isPayable(ask: PlaintextAsk): ask is PayableAsk {
  return endpoints[ask.endpoint].auth === 'payable'
}

/**
 * Freezes a request that the service may read, after the checks of every plaintext request. A name of a
 * private model is refused, models and data endpoints must match the listing byte for byte, and JSON is
 * written from the parsed value.
 * @throws {SottoError} privacy/path, model/unknown, request/invalid, service/…; proxy/body-too-large – more
 * than 64 MiB; proxy/… – a malformed request
 */
export async function freeze(
  ask: PayableAsk,
  listings: PlaintextListings,
  access: ServiceAccess,
): Promise<Frozen> {
  refusePrivate(ask)
  const revision = access.revision ?? 'B'
  if (ask.endpoint === 'images/edits') requireRevision(access, 'B')
  const plan = await planOf(ask, listings, revision)
  const { method, below = '', query = {}, body } = plan.request
  const written = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const content = ask.endpoint === 'images/edits' ? await writtenForm(ask.form) : body
  return {
    request: {
      endpoint: ask.endpoint,
      method,
      path: `${endpoints[ask.endpoint].path}${below}${written.size > 0 ? `?${written.toString()}` : ''}`,
      ...(content && { contentType: content.contentType }),
      body: content ? await bytesOf(content.content) : new Uint8Array(0),
    },
    plan,
    subject: subjectOf(ask),
  }
}

/**
 * Encodes a form. Its boundary is a hash of its content: the same form always has the same bytes, and its
 * content can't contain the boundary.
 */
async function writtenForm({ fields, files }: PlaintextForm): Promise<RequestBody> {
  const digest = createHash('sha256').update(JSON.stringify(fields))
  const read: FormFile[] = []
  for (const { field, upload } of files) {
    const bytes = await bytesOf(upload.content)
    digest.update(JSON.stringify([field, upload.name, upload.type, bytes.byteLength])).update(bytes)
    read.push({ field, upload: { ...upload, content: toAsyncIterable(bytes) } })
  }
  return multipartBody({ fields, files: read, boundary: `sotto-${digest.digest('hex')}`.slice(0, 70) })
}

async function bytesOf(content: string | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (typeof content === 'string') return Buffer.from(content, 'utf8')
  return readBytes(content, MAX_BODY_BYTES, () => new SottoError('proxy/body-too-large'))
}
