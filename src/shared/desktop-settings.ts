import { z } from 'zod'
import type { UpdateControls } from './updates.ts'

/** The shortcut of the small chat window, in Electron's form. */
export const QUICK_ENTRY_KEYS = 'CommandOrControl+Shift+Space'

export const notificationKinds = [
  'job-done',
  'balance-low',
  'release-changed',
  'verification-failed',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

const notificationsSchema = z.strictObject({
  'job-done': z.boolean(),
  'balance-low': z.boolean(),
  'release-changed': z.boolean(),
  'verification-failed': z.boolean(),
})

export const desktopSettingsSchema = z.strictObject({
  /** Whether Sotto continues in the tray when the window is closed; otherwise it quits. */
  closeToTray: z.boolean(),
  startAtLogin: z.boolean(),
  notifications: notificationsSchema,
  /** Whether Sotto checks for new versions. On in settings that were saved before this option existed. */
  lookForUpdates: z.boolean().default(true),
  /** Whether a shortcut of the system opens a small chat window. Off in older settings. */
  quickEntry: z.boolean().default(false),
})
export type DesktopSettings = z.infer<typeof desktopSettingsSchema>

export const usualDesktopSettings: DesktopSettings = {
  closeToTray: true,
  startAtLogin: false,
  notifications: {
    'job-done': true,
    'balance-low': true,
    'release-changed': true,
    'verification-failed': true,
  },
  lookForUpdates: true,
  quickEntry: false,
}

/** The desktop settings, and which of them this system supports. */
export const desktopViewSchema = z.object({
  settings: desktopSettingsSchema,
  can: z.object({ closeToTray: z.boolean(), startAtLogin: z.boolean(), notify: z.boolean() }),
})
export type DesktopView = z.infer<typeof desktopViewSchema>

/** The desktop features that the core exposes; absent without a desktop. */
export interface DesktopControls {
  view(): DesktopView
  /** Throws desktop/setting-refused if the system rejected the setting. */
  change(settings: DesktopSettings): Promise<DesktopView>
  readonly updates: UpdateControls
}
