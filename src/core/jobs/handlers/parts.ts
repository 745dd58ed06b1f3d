import type { JobRecord } from '../../../shared/job-record.ts'
import type { JobFile } from '../../../shared/job.ts'
import type { JobEvent } from '../job-state.ts'
import type { HandlerOptions } from './job-handler.ts'

/** The file index of the first part, until the parts are joined. */
export const FIRST_PART = 100

/** The stored parts, in their order. */
export function partFiles({ files }: Pick<JobRecord, 'files'>): JobFile[] {
  return files.filter(({ role }) => role === 'part').toSorted((a, b) => a.index - b.index)
}

/** The event that adds the cost of a part (pico-USD) to the job; none if the service didn't report it. */
export function addedCost({ cost: before }: Pick<JobRecord, 'cost'>, cost: string | undefined): JobEvent[] {
  return cost === undefined ? [] : [{ type: 'cost', cost: (BigInt(before ?? 0) + BigInt(cost)).toString() }]
}

/**
 * Sends the pieces of a job that aren't stored yet, one after another, and then records that the job is
 * answered. The owner may stop it between two pieces. Throws studio/unknown, store/unwritable, and the
 * errors of `send`.
 *
 * @param send stores the response to a piece as the part of this index; returns false if nothing further is
 * to be sent, and the job has the reason
 */
export async function sendPieces<Piece>(
  id: string,
  pieces: readonly Piece[],
  send: (piece: Piece, index: number) => Promise<boolean>,
  { jobs, stopped }: Pick<HandlerOptions, 'jobs' | 'stopped'>,
): Promise<void> {
  jobs.apply(id, { type: 'parted', of: pieces.length })
  for (const [at, piece] of pieces.entries()) {
    const index = FIRST_PART + at
    if (jobs.of(id).files.some((file) => file.index === index)) continue
    if (stopped(id)) return void jobs.apply(id, { type: 'stopped' })
    if (!(await send(piece, index))) return
  }
  jobs.apply(id, { type: 'answered' })
}

/**
 * Replaces the parts by the whole, whose bytes are stored already. The job is written first, so that no
 * file is missing if the process ends in between. Throws store/….
 */
export async function replaceParts(
  id: string,
  whole: JobFile,
  parts: readonly Pick<JobFile, 'index'>[],
  { jobs, files }: Pick<HandlerOptions, 'jobs' | 'files'>,
): Promise<void> {
  jobs.apply(
    id,
    { type: 'kept', file: whole },
    ...parts.map(({ index }) => ({ type: 'dropped' as const, index })),
  )
  for (const { index } of parts) await files.remove(id, index)
}
