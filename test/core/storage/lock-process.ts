// At a message with a time in Unix ms, tries to lock the file at that time and answers whether it has; at `release` lets go.
import { acquireExclusiveLock, type ExclusiveLock } from '../../../src/core/storage/exclusive-lock.ts'

let lock: ExclusiveLock | null = null
process.on('message', (message) => {
  if (message === 'release') lock?.release()
  else {
    // No timer wakes two processes in the same instant; two that look at one clock do.
    while (Date.now() < Number(message));
    lock = acquireExclusiveLock(process.argv[2] ?? '')
  }
  process.send?.(lock !== null)
})
process.send?.(false)
