import { z } from 'zod'
import { failureSchema } from './contract/failure.ts'

/** Whether this Sotto can look for a newer one: `no-address`, nobody said where; `package`, what it came in is not replaced from within. */
const updateSupports = ['yes', 'no-address', 'package'] as const
export type UpdateSupport = (typeof updateSupports)[number]

/** `ready`: fetched, and proven to be a release of Sotto that is newer than this one. */
const updatePhases = ['idle', 'checking', 'downloading', 'verifying', 'ready', 'installing'] as const

export const updateViewSchema = z.object({
  /** What runs here. */
  version: z.string(),
  support: z.enum(updateSupports),
  phase: z.enum(updatePhases),
  /** Newer than what runs here, as it was announced; null where nothing newer is known. */
  offered: z.string().nullable(),
  /** It is handed out step by step, and not here yet. */
  waits: z.boolean(),
  /** Of the download. */
  percent: z.int().min(0).max(100).nullable(),
  /** Of the last look that was answered, since the start. Unix ms. */
  checkedAt: z.number().nullable(),
  failure: failureSchema.nullable(),
  /** The version that ran here before this one, until its changes were seen. */
  updatedFrom: z.string().nullable(),
})
export type UpdateView = z.infer<typeof updateViewSchema>

/** The updates as the core hands them on. Each call answers how it stands then. */
export interface UpdateControls {
  view(): UpdateView
  /** Looks, and where there is something newer, fetches and verifies it. Throws update/none, update/off. */
  check(): Promise<UpdateView>
  /** Verifies once more, ends Sotto and has the new version take its place. Throws update/not-ready, update/refused. */
  install(): Promise<UpdateView>
  changesSeen(): Promise<UpdateView>
  /** Every host that is asked, as it is set now. */
  hosts(): readonly string[]
}
