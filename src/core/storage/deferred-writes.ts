import type { SealedDatabase } from './sealed-database.ts'

/** Notes within this time share one transaction. */
const DELAY_MS = 50
/**
 * This many notes are written without waiting longer. A request adds three notes, and the notes of 170
 * requests take 2 ms.
 */
const BATCH = 512

/** Notes that may be written a moment later, together with others. */
export interface Waiting {
  /** Writes all pending notes, in a shared transaction. */
  write(): void
  /** All notes were committed. */
  written(): void
  /** The write failed, so the notes remain pending. */
  refused(): void
}

/** Writes the notes of several tables together. */
export interface DeferredWrites {
  /** Adds a member. @returns a function that the member calls for each new note */
  join(waiting: Waiting): () => void
  /** Writes all pending notes now. Throws store/unwritable, and they remain pending. */
  flush(): void
  stop(): void
}

/**
 * A commit costs more than its content. The hot path of the proxy only adds notes, and this writes those of
 * all tables at once.
 */
export function deferWrites(database: SealedDatabase): DeferredWrites {
  const members: Waiting[] = []
  let noted = 0
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    stop()
    if (noted === 0) return
    database.transaction(() => {
      for (const member of members) member.write()
    })
    noted = 0
    for (const member of members) member.written()
  }
  function tryFlush(): void {
    try {
      flush()
    } catch {
      for (const member of members) member.refused()
    }
  }
  function stop(): void {
    clearTimeout(timer)
    timer = undefined
  }

  return {
    flush,
    stop,
    join(waiting) {
      members.push(waiting)
      return () => {
        noted += 1
        if (noted % BATCH === 0) tryFlush()
        else timer ??= setTimeout(tryFlush, DELAY_MS)
      }
    },
  }
}
