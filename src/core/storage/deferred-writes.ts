import type { SealedDatabase } from './sealed-database.ts'

/** One transaction for what comes within this time. */
const DELAY_MS = 50
/** So much is written at once without waiting longer: a request notes three things, and a hundred and seventy of them take two milliseconds. */
const BATCH = 512

/** Something that may be written a moment later, together with others. */
export interface Waiting {
  /** Writes all that waits, in a transaction that it shares. */
  write(): void
  /** All of it stands in the file. */
  written(): void
  /** The disk refused: it waits for the next time. */
  refused(): void
}

/** Notes of several tables that are written together. */
export interface DeferredWrites {
  /** Returns what to call whenever there is one thing more to write. */
  join(waiting: Waiting): () => void
  /** Writes all that waits now. Throws store/unwritable, and it waits on. */
  flush(): void
  stop(): void
}

/** A commit costs more than what it commits: the hot path of the proxy notes, and this writes everybody's notes at once. */
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
