import { z } from 'zod'
import type { UpdateControls } from './updates.ts'

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
  /** With the window closed Sotto goes on in the tray; else it ends. */
  closeToTray: z.boolean(),
  startAtLogin: z.boolean(),
  notifications: notificationsSchema,
  /** Whether a new version is looked for. Settings that were kept before there was a choice have it on. */
  lookForUpdates: z.boolean().default(true),
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
}

/** What the desktop does here, and what of it this system can do. */
export const desktopViewSchema = z.object({
  settings: desktopSettingsSchema,
  can: z.object({ closeToTray: z.boolean(), startAtLogin: z.boolean(), notify: z.boolean() }),
})
export type DesktopView = z.infer<typeof desktopViewSchema>

/** The desktop as the core hands its settings on; there is none without one. */
export interface DesktopControls {
  view(): DesktopView
  /** Throws desktop/setting-refused where the system did not take it. */
  change(settings: DesktopSettings): Promise<DesktopView>
  readonly updates: UpdateControls
}
