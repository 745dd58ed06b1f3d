import { desktopSettingsSchema, desktopViewSchema } from '../desktop-settings.ts'
import { call } from './call.ts'

export const desktopContract = {
  /** Null without a desktop: in a browser's tab there is no tray and nothing to start at login. */
  view: call.output(desktopViewSchema.nullable()),
  /** In place of all settings. Throws desktop/none, desktop/setting-refused. */
  change: call.input(desktopSettingsSchema).output(desktopViewSchema),
}
