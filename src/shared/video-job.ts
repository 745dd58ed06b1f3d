import { z } from 'zod'
import { parseUsd } from './money.ts'

const MAX_ADDRESS = 8000
const MAX_CLIPS = 16
const MAX_WORDS = 300

/** The states of the specification (Video job), and words that deployments use for them. */
const STATES: ReadonlyMap<string, VideoJob['status']> = new Map([
  ...[
    'pending',
    'processing',
    'queued',
    'running',
    'in_progress',
    'in progress',
    'starting',
    'submitted',
    'accepted',
  ].map((word) => [word, 'pending'] as const),
  ...['completed', 'complete', 'succeeded', 'success', 'done', 'finished', 'ready'].map(
    (word) => [word, 'completed'] as const,
  ),
  ...['failed', 'failure', 'error', 'errored', 'cancelled', 'canceled', 'rejected', 'expired'].map(
    (word) => [word, 'failed'] as const,
  ),
])

/** The status as the service writes it, of which only the letters count. */
const videoJobStatusSchema = z
  .string()
  .max(40)
  .transform((word, context) => {
    const status = STATES.get(word.toLowerCase())
    if (status !== undefined) return status
    context.addIssue('an unknown state')
    return z.NEVER
  })

const address = z.string().min(1).max(MAX_ADDRESS)
const clipSchema = z.object({ url: address })
const wordsSchema = z.union([
  z.string(),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
])
const membersSchema = z
  .looseObject({
    id: z.unknown(),
    status: z.unknown(),
    status_url: z.unknown(),
    data: z.unknown(),
    url: z.unknown(),
    cost: z.unknown(),
    error: z.unknown(),
  })
  .partial()

/** How far a clip is, by one answer of the service. */
export interface VideoJob {
  readonly status: 'pending' | 'completed' | 'failed'
  /** The service's id of the job. */
  readonly id?: string
  /** The address of the job's status, if it was paid per request. */
  readonly statusUrl?: string
  /** The clip of a completed job. */
  readonly url?: string
  /** Pico-USD, as decimal text. */
  readonly cost?: string
  /** The service's words about a failure: untrusted, one line, short. */
  readonly says?: string
}

/** Answers of status 4xx that another try may not get: a timeout, too early, too many requests. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429])

/**
 * Reads the progress of a video, for every way of paying. Status 202 means that it's pending, whatever the
 * body contains. A 4xx ends the job, because the service refuses to answer for it.
 *
 * @param status of HTTP
 * @param answer JSON; anything else is ignored
 * @returns undefined if the answer can't be read: the job continues, and is polled again
 */
export function readVideoJob(status: number, answer: Uint8Array): VideoJob | undefined {
  const members = membersOf(answer)
  const known = members && knownIn(members)
  if (status === 202) return { ...known, status: 'pending' }
  if (status >= 400 && status <= 499 && !PASSING.has(status)) return { ...known, status: 'failed' }
  if (status !== 200 && status !== 201) return undefined
  const state = videoJobStatusSchema.safeParse(members?.status).data
  return known && state && { ...known, status: state }
}

type Members = z.infer<typeof membersSchema>

/** The members of the object, or of the object below `data` if the status is there. */
function membersOf(answer: Uint8Array): Members | undefined {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(answer))
  } catch {
    return undefined
  }
  const outer = membersSchema.safeParse(json).data
  const inner = membersSchema.safeParse(outer?.data).data
  return outer && outer.status === undefined && inner?.status !== undefined ? inner : outer
}

function knownIn({ id, status_url: statusUrl, data, url, cost, error }: Members): Omit<VideoJob, 'status'> {
  const clips = z.array(clipSchema).min(1).max(MAX_CLIPS).safeParse(data).data ?? [
    clipSchema.safeParse(data).data,
  ]
  const found = {
    id: z.string().min(1).max(200).safeParse(id).data,
    statusUrl: address.safeParse(statusUrl).data,
    url: clips[0]?.url ?? address.safeParse(url).data,
    says: wordsSchema.safeParse(error).data,
  }
  const picoUsd =
    typeof cost === 'number' || (typeof cost === 'string' && cost.length <= 64) ? parseUsd(cost) : null
  return {
    ...(found.id !== undefined && { id: found.id }),
    ...(found.statusUrl !== undefined && { statusUrl: found.statusUrl }),
    ...(found.url !== undefined && { url: found.url }),
    ...(picoUsd !== null && picoUsd >= 0n && { cost: picoUsd.toString() }),
    ...(found.says !== undefined && {
      says: found.says.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, MAX_WORDS),
    }),
  }
}

/** Polls of the first minute. */
const QUICK_POLLS = 12
const QUICK_MS = 5000
const USUAL_MS = 10_000
/** After so many answers in a row that can't be read. */
const UNREADABLE_MS = [10_000, 10_000, 10_000, 30_000, 60_000, 120_000, 300_000] as const

/**
 * Ms until a job is asked about again, every 5 to 10 seconds (specification, Videos), and less often while the answers can't be read.
 *
 * @param polls how often it was asked about before
 * @param unreadable how many of the last answers in a row couldn't be read
 */
export function videoPollDelay(polls: number, unreadable = 0): number {
  if (unreadable > 0) return UNREADABLE_MS[Math.min(unreadable, UNREADABLE_MS.length) - 1] ?? USUAL_MS
  return polls < QUICK_POLLS ? QUICK_MS : USUAL_MS
}
