// At a message with a time in Unix ms, tries to lock the file at that time and answers whether it has the lock. At
// `release`, releases it.
import { acquireExclusiveLock, type ExclusiveLock } from '../../../src/core/storage/exclusive-lock.ts'

let lock: ExclusiveLock | null = null
process.on('message', (message) => {
  if (message === 'release') lock?.release()
  else {
    // Timers don't wake two processes at the same instant, but two processes that poll the same clock act together.
    while (Date.now() < Number(message));
    lock = acquireExclusiveLock(process.argv[2] ?? '')
  }
  process.send?.(lock !== null)
})
process.send?.(false)
