import type { WebFrameMain } from 'electron'
import { WINDOW_ORIGIN } from './app-scheme.ts'

/** A frame that is embedded, or that has gone to another address, asks nothing of the desktop. */
export function isOwnPage(frame: WebFrameMain | null): boolean {
  return frame !== null && frame.parent === null && frame.origin === WINDOW_ORIGIN
}
