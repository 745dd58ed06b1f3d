import type { FetchResponse } from '../../../../shared/fetch.ts'
import { isRecord } from '../../../../shared/strict-json.ts'
import { readText } from './body.ts'

const MAX_ERROR_BYTES = 64 * 1024
const MAX_DETAIL = 300

/** What an error body contains. All of it is untrusted text. */
export interface ErrorText {
  readonly message?: string
  /** A machine-readable reason, such as `insufficient_balance`. */
  readonly reason?: string
  /** The faulty member of the request. */
  readonly param?: string
  /** The time to wait, if only the body states it. */
  readonly retryAfterSeconds?: number
  /** The received JSON object, for the readers of payment problems. */
  readonly json?: Readonly<Record<string, unknown>>
}

const MAX_WORDS = 4000
const MAX_ENTRIES = 20
const MAX_DEPTH = 3
const MOST_SECONDS = 999_999
/** Names of members with the seconds to wait, as a number or as text. */
const WAITS = [
  'retry_after',
  'retry_after_seconds',
  'retryAfter',
  'retryAfterSeconds',
  'retry-after',
] as const

/**
 * Reads the body of a status other than 2xx: the shapes seen in the service's errors (service-observed,
 * Errors), RFC 9457 (`title`, `detail`), FastAPI (`detail` as text, object or list), and lists named
 * `errors`. Returns nothing for text of an unknown form, such as an HTML page.
 */
export async function readErrorText(response: FetchResponse): Promise<ErrorText> {
  try {
    const text = await readText(response.body, MAX_ERROR_BYTES)
    const json: unknown = looksLikeJson(text) ? JSON.parse(text) : undefined
    if (json !== undefined) return errorTextOf(json)
    const plain =
      response.headers.get('content-type')?.startsWith('text/plain') === true && text.length <= MAX_DETAIL
    return plain && text.trim() !== '' ? { message: plainSentence(text) } : {}
  } catch {
    return {}
  }
}

/**
 * Reads the error text of parsed JSON, such as an error within an answer of status 200; empty if the form is
 * unknown.
 */
export function errorTextOf(json: unknown): ErrorText {
  const found: Found = { messages: [], reasons: [], params: [], waits: [] }
  collect(json, found, 0)
  const message = found.messages.find((text) => text.trim() !== '')
  const reason = [...new Set(found.reasons)].join(' ')
  const param = found.params.find((name) => /^[\w.[\]-]{1,64}$/.test(name))
  const [wait] = found.waits
  return {
    ...(message !== undefined && { message: plainSentence(message) }),
    ...(reason !== '' && { reason }),
    ...(param !== undefined && { param }),
    ...(wait !== undefined && { retryAfterSeconds: wait }),
    ...(isRecord(json) && { json }),
  }
}

/** The texts of an error, those nearest to the fault first. */
interface Found {
  readonly messages: string[]
  readonly reasons: string[]
  readonly params: string[]
  readonly waits: number[]
}

function collect(value: unknown, found: Found, depth: number): void {
  if (typeof value === 'string') {
    if (value.length <= MAX_WORDS) found.messages.push(value)
    return
  }
  if (depth > MAX_DEPTH) return
  if (Array.isArray(value)) {
    for (const entry of value.slice(0, MAX_ENTRIES)) collect(entry, found, depth + 1)
    return
  }
  if (!isRecord(value)) return
  const { error, detail, errors } = value
  if (typeof error === 'object') collect(error, found, depth + 1)
  found.messages.push(...texts(value, ['message', 'msg']))
  collect(detail, found, depth + 1)
  collect(errors, found, depth + 1)
  found.messages.push(...texts(value, ['error', 'error_description', 'title']))
  found.reasons.push(...texts(value, ['reason', 'type', 'code', 'error']))
  found.params.push(...texts(value, ['param', 'field']), ...placeOf(value['loc']))
  for (const name of WAITS) found.waits.push(...seconds(value[name]))
}

function texts(value: Readonly<Record<string, unknown>>, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const text = value[name]
    return typeof text === 'string' && text.length <= MAX_WORDS ? [text] : []
  })
}

/** FastAPI writes the member's path as a list: `["body", "messages", 0, "content"]`. */
function placeOf(loc: unknown): string[] {
  if (!Array.isArray(loc)) return []
  const names = loc
    .slice(loc[0] === 'body' || loc[0] === 'query' || loc[0] === 'path' ? 1 : 0, MAX_ENTRIES)
    .filter((name) => typeof name === 'string' || typeof name === 'number')
  return names.length === 0 ? [] : [names.join('.')]
}

function seconds(value: unknown): number[] {
  const read =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d{1,6}(?:\.\d{1,6})?$/.test(value)
        ? Number(value)
        : NaN
  return read >= 0 ? [Math.min(Math.ceil(read), MOST_SECONDS)] : []
}

function looksLikeJson(text: string): boolean {
  return /^\s*[{["]/.test(text)
}

/** Secrets that a service may repeat to the caller: wallet connections and keys. */
const SECRETS = /nostr\+?walletconnect:\S*|secret=\S*|\bsk-[\w-]{8,}/gi

/** Cleans untrusted text for one line of a message. */
export function plainSentence(text: string): string {
  const line = text
    .replaceAll(SECRETS, '[secret]')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
  return line.length > MAX_DETAIL ? `${line.slice(0, MAX_DETAIL)}…` : line
}
