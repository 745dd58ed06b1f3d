import { desktopSettingsSchema, desktopViewSchema } from '../desktop-settings.ts'
import { updateViewSchema } from '../updates.ts'
import { call, idSchema } from './call.ts'
import { z } from 'zod'

export const desktopContract = {
  /** Null without a desktop: in a browser's tab there is no tray and nothing to start at login. */
  view: call.output(desktopViewSchema.nullable()),
  /** Replaces all settings. Throws desktop/unavailable, desktop/setting-refused. */
  change: call.input(desktopSettingsSchema).output(desktopViewSchema),
  /** Null without a desktop. */
  updates: call.output(updateViewSchema.nullable()),
  /** Throws desktop/unavailable, update/none, update/off. A later failure is in the response. */
  checkForUpdate: call.output(updateViewSchema),
  /** Ends Sotto, and starts the new version. Throws desktop/unavailable, update/not-ready, update/refused. */
  installUpdate: call.output(updateViewSchema),
  changesSeen: call.output(updateViewSchema),
}

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
