import { z } from 'zod'
import { failureSchema } from './contract/failure.ts'

/**
 * Whether this Sotto can check for updates: `no-address`, no source is configured; `package`, the package
 * can't be replaced from within.
 */
const updateSupports = ['yes', 'no-address', 'package'] as const
export type UpdateSupport = (typeof updateSupports)[number]

/** `ready`: fetched, and proven to be a release of Sotto that is newer than this one. */
const updatePhases = ['idle', 'checking', 'downloading', 'verifying', 'ready', 'installing'] as const

export const updateViewSchema = z.object({
  /** The running version. */
  version: z.string(),
  support: z.enum(updateSupports),
  phase: z.enum(updatePhases),
  /** A newer version, as announced; null if none is known. */
  offered: z.string().nullable(),
  /** The release is rolled out in steps, and not to this computer yet. */
  waits: z.boolean(),
  /** Progress of the download. */
  percent: z.int().min(0).max(100).nullable(),
  /** Unix ms of the last successful check since the start. */
  checkedAt: z.number().nullable(),
  failure: failureSchema.nullable(),
  /** The version that ran here before this one, until its changes were seen. */
  updatedFrom: z.string().nullable(),
})
export type UpdateView = z.infer<typeof updateViewSchema>

/** The update features that the core exposes. Each call returns the new state. */
export interface UpdateControls {
  view(): UpdateView
  /**
   * Checks for a newer version, and fetches and verifies it if there is one. Throws update/none,
   * update/off.
   */
  check(): Promise<UpdateView>
  /** Verifies once more, ends Sotto and has the new version take its place. Throws update/not-ready, update/refused. */
  install(): Promise<UpdateView>
  changesSeen(): Promise<UpdateView>
  /** Every host that is asked, as it is set now. */
  hosts(): readonly string[]
}
