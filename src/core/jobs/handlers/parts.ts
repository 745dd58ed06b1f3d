import type { JobRecord } from '../../../shared/job-record.ts'
import type { JobFile } from '../../../shared/job.ts'
import type { JobEvent } from '../job-state.ts'
import type { HandlerOptions } from './job-handler.ts'

/** Where the parts stand among a job's files, in their order, until they are joined to the whole. */
export const FIRST_PART = 100

/** The parts that are kept, in their order. */
export function partFiles({ files }: Pick<JobRecord, 'files'>): JobFile[] {
  return files.filter(({ role }) => role === 'part').toSorted((a, b) => a.index - b.index)
}

/** What a part adds to what the job has cost (pico-USD); nothing where the service did not say. */
export function addedCost({ cost: before }: Pick<JobRecord, 'cost'>, cost: string | undefined): JobEvent[] {
  return cost === undefined ? [] : [{ type: 'cost', cost: (BigInt(before ?? 0) + BigInt(cost)).toString() }]
}

/**
 * Sends the pieces of a job that are not kept yet, one after another, and notes that it is answered once all are. Its owner may stop it in
 * between. Throws studio/unknown, store/unwritable, and what `send` throws.
 * @param send keeps what comes of a piece as the part of this index; false where nothing further is to be sent, as the job says
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
 * The whole, whose bytes are kept already, takes the place of the parts: first on the job, so that a process that ends in between leaves
 * it with neither missing. Throws store/….
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
