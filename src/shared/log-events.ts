import { z } from 'zod'
import { errorCodes, isErrorCode, type ErrorCode } from './error-codes.ts'
import { proxyRoutes } from './proxy-route.ts'
import { paymentStateSchema } from './purchase.ts'
import { privacyWords } from './privacy.ts'
import type { Receipt } from './receipt.ts'
import { vaultKinds, vaultStates } from './status.ts'

export const pathClasses = ['chat', 'embeddings', 'images', 'audio', 'video', 'data', 'other'] as const
type PathClass = (typeof pathClasses)[number]

const BEGINNINGS: readonly (readonly [string, PathClass])[] = [
  ['/chat/', 'chat'],
  ['/embeddings', 'embeddings'],
  ['/images', 'images'],
  ['/audio', 'audio'],
  ['/videos', 'video'],
  ['/data', 'data'],
]

/** A receipt's path without what a caller may have put into it. */
export function pathClass(path: string): PathClass {
  const from = path.startsWith('/v1/') ? 3 : 0
  return BEGINNINGS.find(([beginning]) => path.startsWith(beginning, from))?.[1] ?? 'other'
}

export const logLevels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

/** The methods that a log names. Any other method is `other`. */
export const requestMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'] as const

/** Codes are keys of a table in this program; as an enum, the file of events would have to list them again. */
const errorCode = z.enum(Object.keys(errorCodes).filter((code): code is ErrorCode => isErrorCode(code)))
/** A random id that this program generated: receipts, local keys. */
const id = z.guid()
/** Distinguishes keys that Sotto didn't issue, until it stops. */
const fingerprint = z.stringFormat('key-fingerprint', /^[0-9a-f]{8}$/)
const ms = z.number().min(0)
const count = z.int().min(0)

/** The types of values in a log. None of them can have a text that an attacker chose. */
type Closed =
  | z.ZodEnum
  | z.ZodGUID
  | z.ZodCustomStringFormat<'key-fingerprint'>
  | z.ZodNumber
  | z.ZodInt
  | z.ZodBoolean
interface LogEvent {
  readonly level: LogLevel
  readonly fields: Readonly<Record<string, Closed | z.ZodOptional<Closed>>>
}

/** Everything that can be logged, and there is nothing else: no message, no error, no object of any other form. */
export const logEvents = {
  'sotto/started': {
    level: 'info',
    fields: {
      service: z.enum(['sandbox', 'service']),
      vault: z.enum(vaultKinds),
      vaultState: z.enum(vaultStates),
    },
  },
  'sotto/stopped': { level: 'info', fields: {} },
  /** The start failed, or the running Sotto ended with an error. */
  'sotto/failed': { level: 'error', fields: { code: errorCode } },
  'vault/opened': { level: 'info', fields: {} },
  'vault/locked': { level: 'info', fields: { by: z.enum(['request', 'idle', 'sleep']) } },
  'proxy/listening': {
    level: 'info',
    fields: { port: count, tls: z.boolean(), beyondLoopback: z.boolean() },
  },
  'remote-access/not-confirmed': { level: 'warn', fields: { code: errorCode } },
  /** Before it had a receipt: key, Host, Origin, form. */
  'proxy/refused': {
    level: 'warn',
    fields: {
      code: errorCode,
      status: count,
      method: z.enum(requestMethods),
      route: z.enum(proxyRoutes),
      localKey: id.optional(),
      keyFingerprint: fingerprint.optional(),
    },
  },
  /** See its receipt. */
  'request/ended': {
    level: 'info',
    fields: {
      receipt: id,
      caller: z.enum(['window', 'proxy', 'cli']),
      localKey: id.optional(),
      path: z.enum(pathClasses),
      privacy: z.enum(privacyWords),
      outcome: z.enum(['complete', 'interrupted', 'cancelled', 'failed', 'refused']),
      code: errorCode.optional(),
      addedMs: ms.optional(),
      firstByteMs: ms.optional(),
      durationMs: ms.optional(),
      bytesSent: count,
      bytesReceived: count,
      promptTokens: count.optional(),
      completionTokens: count.optional(),
    },
  },
  /** A charge raised the spent amount to the alert of the key's budget. */
  'local-key/budget-alert': { level: 'warn', fields: { localKey: id, percent: count } },
  /** The outcome of a Lightning payment. No amount, host, invoice or hash. */
  'payment/changed': {
    level: 'info',
    fields: {
      payment: id,
      purpose: z.enum(['request', 'topup']),
      state: paymentStateSchema,
      code: errorCode.optional(),
    },
  },
  'attestation/verified': {
    level: 'info',
    fields: { validUntil: ms, trust: z.enum(['built-in', 'sandbox']) },
  },
  /** Records were changed outside Sotto, in so many tables; and the person accepted them as they are. */
  'store/rows-changed': { level: 'error', fields: { tables: count } },
  'store/records-accepted': { level: 'warn', fields: {} },
  /** The shared database of replicas doesn't answer, or answers again. */
  'replica/database': { level: 'warn', fields: { available: z.boolean(), code: errorCode.optional() } },
  /** Requests of replicas that ended were charged at their most, and their receipts are absent. */
  'replica/charged': { level: 'warn', fields: { requests: count } },
  /** The database refused to save a receipt. */
  'replica/receipt-lost': { level: 'error', fields: { code: errorCode } },
  /** Something was to be logged that is not of its event's form. */
  'log/refused': { level: 'error', fields: {} },
} as const satisfies Record<string, LogEvent>

export type LogEventName = keyof typeof logEvents
export type LogFields<Name extends LogEventName> = z.output<
  z.ZodObject<(typeof logEvents)[Name]['fields'], z.core.$strict>
>

/**
 * Writes one event. Never throws: a member that doesn't match the event's schema is omitted, and only that
 * fact is logged.
 */
export type Log = <Name extends LogEventName>(name: Name, fields: LogFields<Name>) => void

/** A receipt without model, digests and money: what a log may have of it. */
export function endedRequest(receipt: Receipt): LogFields<'request/ended'> {
  const {
    id: receiptId,
    caller,
    path,
    code,
    usage,
    privacy,
    outcome,
    addedMs,
    firstByteMs,
    durationMs,
    bytesSent,
    bytesReceived,
  } = receipt
  return {
    receipt: receiptId,
    caller: caller.kind,
    localKey: caller.localKeyId,
    path: pathClass(path),
    privacy,
    outcome,
    code: code !== undefined && isErrorCode(code) ? code : undefined,
    addedMs,
    firstByteMs,
    durationMs,
    bytesSent,
    bytesReceived,
    promptTokens: usage?.prompt,
    completionTokens: usage?.completion,
  }
}

/** A line of the log. It has only closed values, so that it needs no redaction. */
export const logEntrySchema = z.object({
  /** Counts from 1 since the start. */
  seq: z.int().min(1),
  /** Unix ms. */
  at: z.number(),
  level: z.enum(logLevels),
  event: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
})
export type LogEntry = z.infer<typeof logEntrySchema>

const schemas = new Map<string, z.ZodType<Record<string, unknown>>>(
  Object.entries(logEvents).map(([name, { fields }]) => [name, z.strictObject(fields)]),
)

/**
 * The loggable form of an event: the members that its schema parsed, or a note that some couldn't be
 * parsed.
 */
export function closedForm(
  name: LogEventName,
  fields: unknown,
): { readonly level: LogLevel; readonly line: Readonly<Record<string, unknown>> } {
  const parsed = schemas.get(name)?.safeParse(fields)
  if (parsed?.success !== true)
    return { level: logEvents['log/refused'].level, line: { event: 'log/refused' } }
  return { level: logEvents[name].level, line: { event: name, ...parsed.data } }
}
