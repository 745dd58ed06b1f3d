import { z } from 'zod'
import type { ErrorCode } from '../../../shared/error-codes.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { FetchResponse } from '../../../shared/fetch.ts'
import { readText } from './body.ts'

const MAX_ERROR_BYTES = 64 * 1024
const MAX_DETAIL = 300

/** The shapes seen of the service's errors (service-observed, Errors). All are untrusted text. */
const errorBody = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform((body) => body.error.message),
  z.object({ error: z.string(), message: z.string() }).transform((body) => body.message),
  z.object({ error: z.string() }).transform((body) => body.error),
  z.object({ message: z.string() }).transform((body) => body.message),
])

/**
 * A status other than 2xx as a coded failure. With `authenticated: false` the text comes from whoever stands between us
 * and the enclave, so only the status is reported.
 */
export async function serviceFailure(response: FetchResponse, { authenticated }: { authenticated: boolean }): Promise<SottoError> {
  const { status } = response
  const said = authenticated ? await errorText(response.body) : undefined
  if (!authenticated) await discard(response.body)
  const retryAfterSeconds = retryAfter(response.headers.get('retry-after'))
  return new SottoError(codeOf(status), {
    detail: said ? `It answered ${status}: “${said}”.` : `It answered ${status}.`,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

function codeOf(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'service/key-refused'
  if (status === 402) return 'service/balance'
  if (status === 429) return 'service/rate-limited'
  if (status === 400 || status === 404 || status === 413 || status === 415 || status === 422) return 'service/rejected'
  return 'service/failed'
}

async function errorText(body: AsyncIterable<Uint8Array> | null): Promise<string | undefined> {
  try {
    const parsed = errorBody.safeParse(JSON.parse(await readText(body, MAX_ERROR_BYTES)))
    return parsed.success ? plainSentence(parsed.data) : undefined
  } catch {
    return undefined
  }
}

/** Untrusted text made fit for one line of a message. */
export function plainSentence(text: string): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > MAX_DETAIL ? `${line.slice(0, MAX_DETAIL)}…` : line
}

function retryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined
}

/** Ends a response whose body nobody wants. */
export async function discard(body: AsyncIterable<Uint8Array> | null): Promise<void> {
  try {
    for await (const _ of body ?? []) break
  } catch {
    // It was unwanted anyway.
  }
}
