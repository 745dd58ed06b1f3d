// The window reads this with its first screen, so the schemas, which need zod, are in lock-schema.ts.

/** The choices in the window; the contract accepts any whole number of minutes up to a day. */
export const lockMinutesOffered = [1, 5, 15, 30, 60, 240] as const

/** When Sotto locks without being asked. */
export interface AutoLockSettings {
  /** Minutes without use; null: never. */
  readonly afterMinutes: number | null
  /** When the computer goes to sleep, or was found to have slept. */
  readonly onSleep: boolean
}

export const NO_AUTO_LOCK: AutoLockSettings = { afterMinutes: null, onSleep: false }

/** Why Sotto is locked. A start without a passphrase has no reason to give. */
export type LockReason =
  | { readonly by: 'request' }
  | { readonly by: 'idle'; readonly minutes: number }
  | { readonly by: 'sleep' }
