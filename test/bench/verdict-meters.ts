import { createPublicKey, type KeyObject } from 'node:crypto'
import { createRequire, syncBuiltinESMExports } from 'node:module'

interface Key {
  readonly key: KeyObject
  readonly padding?: number
  readonly saltLength?: number
  readonly dsaEncoding?: 'der' | 'ieee-p1363'
}
type Verify = (hash: string | null, data: Uint8Array, key: KeyObject | Key, signature: Uint8Array) => boolean

const require = createRequire(import.meta.url)
const crypto = require('node:crypto') as { verify: Verify }

/** A signature check as JSON, for another process to run: bytes in base64, the key in PEM. */
export interface RecordedCheck {
  readonly hash: string | null
  readonly data: string
  readonly signature: string
  readonly key: string
  /** The options of the key, if the call passed an object with options. */
  readonly options?: Omit<Key, 'key'>
}

/**
 * Milliseconds of processor time of this thread. The time excludes other programs, and the garbage
 * collector's other threads. Linux updates a thread's own account only at each tick of 4 ms. It updates the
 * account at once if a program reads the time of the whole process (kernel/sched/cputime.c,
 * thread_group_cputime). The function therefore reads that first, so that the difference of two readings is
 * precise to a microsecond.
 */
export function processorTime(): number {
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Processor time of `work` in milliseconds. */
export function timed(work: () => void): number {
  const begun = processorTime()
  work()
  return processorTime() - begun
}

/** Records every signature check that `work` runs. */
export function recordChecks(work: () => void): RecordedCheck[] {
  const checks: RecordedCheck[] = []
  const { verify } = crypto
  crypto.verify = (hash, data, keyInput, signature) => {
    const { key, ...options } = 'key' in keyInput ? keyInput : { key: keyInput }
    checks.push({
      hash,
      data: base64(data),
      signature: base64(signature),
      key: key.export({ type: 'spki', format: 'pem' }).toString(),
      ...('key' in keyInput && { options }),
    })
    return verify(hash, data, keyInput, signature)
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

/**
 * Runs recorded checks, and caches each key: a first turn reads the keys, a later turn doesn't. Throws if a
 * check fails.
 */
export function bareChecks(checks: readonly RecordedCheck[]): () => void {
  const keys = new Map<string, KeyObject>()
  const calls = checks.map(({ hash, data, signature, key, options }) => {
    const [bytes, signed] = [Buffer.from(data, 'base64'), Buffer.from(signature, 'base64')]
    return () => {
      let keyObject = keys.get(key)
      if (!keyObject) keys.set(key, (keyObject = createPublicKey(key)))
      return crypto.verify(hash, bytes, options ? { key: keyObject, ...options } : keyObject, signed)
    }
  })
  return () => {
    for (const holds of calls) if (!holds()) throw new Error('a recorded check does not hold')
  }
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}
