import { z } from 'zod'
import { call, idSchema } from './call.ts'

/** A browser tab that was opened with one of Sotto's addresses. Times are Unix ms. The desktop's own window is not listed. */
const windowSchema = z.object({
  id: idSchema,
  openedAt: z.number(),
  lastUsedAt: z.number(),
  /** The browser according to its own User-Agent. */
  browser: z.string(),
  /** The window that asks. */
  current: z.boolean(),
})

export type WindowView = z.infer<typeof windowSchema>

export const windowsContract = {
  /** Most recently used first. */
  list: call.output(z.array(windowSchema)),
  /** Ends the window's access and its streams. False if the window doesn't exist. */
  signOut: call.input(z.object({ id: idSchema })).output(z.object({ signedOut: z.boolean() })),
}
