import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import type { Store } from '../storage/index.ts'
import type { LimitMark, LimitMarks } from './limit-clock.ts'

const SETTING = 'limit-clock'

const markSchema = z.object({
  at: z.number(),
  day: z.int(),
  resetAt: z.number(),
  resetDay: z.int(),
  behindMs: z.number().min(0),
})

/**
 * Stores the mark of the clock for limits in the profile's sealed settings. The sealed root covers them, so a
 * mark that another program deletes or rolls back is reported before anything is spent.
 */
export function limitMarksIn(settings: Store['settings']): LimitMarks {
  return {
    // An unreadable mark counts as none: the clock begins at the wall clock, and charges of later days still
    // count.
    read: () => {
      try {
        return readMark(settings.get(SETTING))
      } catch (error) {
        if (error instanceof SottoError && error.code === 'store/damaged') return null
        throw error
      }
    },
    write: ({ at, day, resetAt, resetDay, behindMs }) =>
      settings.set(SETTING, JSON.stringify({ at, day, resetAt, resetDay, behindMs })),
  }
}

function readMark(text: string | null): LimitMark | null {
  if (text === null) return null
  try {
    return markSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
