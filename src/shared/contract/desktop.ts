import { desktopSettingsSchema, desktopViewSchema } from '../desktop-settings.ts'
import { updateViewSchema } from '../updates.ts'
import { call } from './call.ts'

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
