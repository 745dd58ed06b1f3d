import { createRequire, syncBuiltinESMExports } from 'node:module'

const require = createRequire(import.meta.url)
const crypto = require('node:crypto') as { verify: (...args: never[]) => unknown }

/**
 * Milliseconds of processor time that this thread has taken: what other programs do meanwhile is not in it, nor what helps the collector.
 * Linux brings a thread's own account up to date at each tick of 4 ms only, and at once for whoever asks for the whole process's
 * (kernel/sched/cputime.c, thread_group_cputime): so that is asked for first, and the difference of two readings is good to a microsecond.
 */
export function processorTime(): number {
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Processor time of `work`, in milliseconds. */
export function timed(work: () => void): number {
  const begun = processorTime()
  work()
  return processorTime() - begun
}

/** Every signature check that `work` makes, to be made again by itself: over the same bytes, with keys that are already parsed. */
export function recordChecks(work: () => void): (() => boolean)[] {
  const checks: (() => boolean)[] = []
  const { verify } = crypto
  crypto.verify = (...args) => {
    checks.push(() => verify(...args) === true)
    return verify(...args)
  }
  syncBuiltinESMExports()
  try {
    work()
  } finally {
    crypto.verify = verify
    syncBuiltinESMExports()
  }
  return checks
}
