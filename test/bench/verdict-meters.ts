import { createRequire, syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const crypto = require('node:crypto') as { verify: (...args: never[]) => unknown }

/** The library's functions that a verdict calls: what they take is not ours. */
const LIBRARY = [
  ['@sigstore/verify', 'verifier.js', 'Verifier.prototype.verify'],
  ['@sigstore/verify', 'bundle/index.js', 'toSignedEntity'],
  ['@sigstore/verify', 'trust/index.js', 'toTrustMaterial'],
  ['@sigstore/protobuf-specs', '__generated__/sigstore_trustroot.js', 'TrustedRoot.fromJSON'],
] as const

type Function = (this: unknown, ...args: unknown[]) => unknown

let inLibrary = 0
let spent = 0

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

/** Puts a watch on each of the library's functions. To be called before anything of the product is loaded. */
export function watchLibrary(): void {
  for (const [name, file, path] of LIBRARY) {
    const members = path.split('.')
    const last = members.pop() ?? ''
    const holder = members.reduce<unknown>((value, member) => (value as Record<string, unknown>)[member], require(join(dirname(require.resolve(name)), file))) as Record<string, Function>
    const original = holder[last]
    if (typeof original !== 'function') throw new Error(`${name} has no ${path}`)
    holder[last] = function (...args) {
      const begun = processorTime()
      inLibrary += 1
      try {
        return original.apply(this, args)
      } finally {
        inLibrary -= 1
        if (inLibrary === 0) spent += processorTime() - begun
      }
    }
  }
}

/** Processor time of `work`: in the library, and outside of it. */
export function split(work: () => void): { library: number; own: number } {
  spent = 0
  const begun = processorTime()
  work()
  const whole = processorTime() - begun
  return { library: spent, own: whole - spent }
}

/** Every signature check that `work` makes, to be made again by itself: over the same bytes, with keys that are already parsed. */
export function recordChecks(work: () => void): { own: boolean; again: () => boolean }[] {
  const checks: { own: boolean; again: () => boolean }[] = []
  const { verify } = crypto
  crypto.verify = (...args) => {
    checks.push({ own: inLibrary === 0, again: () => verify(...args) === true })
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
