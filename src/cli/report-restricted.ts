import type { DataFolder } from '../host/index.ts'

/** Names at most this many files. */
const MAX_NAMED = 10

/** Says which files of the data folder other users had access to until now. */
export function reportRestricted({ restricted }: DataFolder, say: (line: string) => void): void {
  if (restricted.length === 0) return
  const more = restricted.length - MAX_NAMED
  say(
    `Other users had access to the data folder. Sotto removed it from: ${restricted.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`,
  )
}
