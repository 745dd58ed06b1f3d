import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { keepInFile, readStored } from '../stored-file.ts'

const storedSchema = z.strictObject({
  /** Random, for the rollout, and never sent. */
  seed: z.string().regex(/^[0-9a-f]{32}$/),
  /** The version whose changes were seen. */
  ran: z.string().max(100).nullable(),
  /** Which one was being installed when Sotto ended for it. */
  installing: z.string().max(100).nullable(),
})
type Stored = z.infer<typeof storedSchema>

/** The saved state of updates, next to the window's other files. */
export interface StoredUpdates {
  readonly now: Stored
  keep(part: Partial<Stored>): Promise<void>
}

export async function keepUpdates(file: string): Promise<StoredUpdates> {
  const first: Stored = { seed: randomBytes(16).toString('hex'), ran: null, installing: null }
  let now = await readStored(file, storedSchema, first)
  const write = keepInFile(file)
  return {
    get now() {
      return now
    },
    keep(part) {
      now = { ...now, ...part }
      // If the state can't be written, it applies until Sotto stops.
      return write(now).catch(() => undefined)
    },
  }
}
