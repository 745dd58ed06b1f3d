import { NO_AUTO_LOCK, type AutoLockSettings, type LockReason } from '../shared/lock.ts'
import { autoLockSchema } from '../shared/lock-schema.ts'
import type { Store } from './storage/index.ts'

const SETTING = 'auto-lock'
const BEAT_MS = 15_000
/** Wall time that passed without a beat: the computer slept, or its clock was set forward. The same bound as VerdictLease. */
const SLEEP_MS = 60_000
const MINUTE_MS = 60_000

/** How many requests began so far, and how many of them have not ended. */
export interface RequestCount {
  readonly begun: number
  readonly inFlight: number
}

export interface AutoLockOptions {
  /** Sealed, so the choice is known only while the vault is open. */
  readonly settings: Store['settings']
  /** Unix ms. */
  readonly now: () => number
  /** Milliseconds from an arbitrary start; doesn't follow the wall clock. */
  readonly monotonic: () => number
  readonly requests: () => RequestCount
  /** Never throws, and is called once. Null: nothing locks this Sotto without being asked. */
  readonly lock: ((reason: LockReason) => void) | null
}

/**
 * Locks Sotto after minutes without use, and when the computer sleeps. Use is what a person does in the window or on the command line, and
 * every request to a model: one that runs longer than the limit postpones the lock until it ends. Time counts by whichever clock has moved
 * further, so that setting the clock back doesn't keep Sotto open.
 */
export class AutoLock implements Disposable {
  readonly #options: AutoLockOptions
  readonly #beats: NodeJS.Timeout
  #settings: AutoLockSettings
  #used: { readonly wall: number; readonly monotonic: number }
  #beatAt: number
  #begun: number
  #done = false

  constructor(options: AutoLockOptions) {
    this.#options = options
    this.#settings = readSettings(options.settings.get(SETTING))
    this.#used = this.#moment()
    this.#beatAt = this.#used.wall
    this.#begun = options.requests().begun
    this.#beats = setInterval(() => this.beat(), BEAT_MS).unref()
  }

  get settings(): AutoLockSettings {
    return this.#settings
  }

  /** @throws {SottoError} store/unwritable – the choice is then what it was */
  change(settings: AutoLockSettings): void {
    this.#options.settings.set(SETTING, JSON.stringify(settings))
    this.#settings = settings
    this.use()
  }

  /** A person used Sotto. */
  use(): void {
    this.#used = this.#moment()
  }

  /** Checks both rules; the timer calls it every 15 seconds. */
  beat(): void {
    const { afterMinutes } = this.#settings
    const { begun, inFlight } = this.#options.requests()
    const { wall, monotonic } = this.#moment()
    const slept = wall - this.#beatAt > SLEEP_MS
    this.#beatAt = wall
    if (slept && this.sleep()) return
    if (inFlight > 0 || begun !== this.#begun) this.use()
    this.#begun = begun
    const idle = Math.max(wall - this.#used.wall, monotonic - this.#used.monotonic)
    if (afterMinutes !== null && idle >= afterMinutes * MINUTE_MS)
      this.#lock({ by: 'idle', minutes: afterMinutes })
  }

  /** The computer goes to sleep, or has slept. @returns whether that locks Sotto */
  sleep(): boolean {
    return this.#settings.onSleep && this.#lock({ by: 'sleep' })
  }

  [Symbol.dispose](): void {
    this.#done = true
    clearInterval(this.#beats)
  }

  #lock(reason: LockReason): boolean {
    const { lock } = this.#options
    if (this.#done || !lock) return false
    this[Symbol.dispose]()
    lock(reason)
    return true
  }

  #moment(): { wall: number; monotonic: number } {
    return { wall: this.#options.now(), monotonic: this.#options.monotonic() }
  }
}

/** A setting that this version doesn't understand counts as none. */
function readSettings(text: string | null): AutoLockSettings {
  if (text === null) return NO_AUTO_LOCK
  try {
    return autoLockSchema.parse(JSON.parse(text))
  } catch {
    return NO_AUTO_LOCK
  }
}
