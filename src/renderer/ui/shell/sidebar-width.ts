import { sidebarWidths } from '../../../shared/window-preferences.ts'
import { setPreferences, usePreferences } from '../preferences.ts'

/** The distance in pixels that one press of an arrow key moves the edge. */
const STEP = 16

function within(width: number): number {
  return Math.round(Math.min(Math.max(width, sidebarWidths.least), sidebarWidths.most))
}

/** The width after the pointer moved the edge. @param by in pixels along the inline axis, so positive means wider */
export function widthAfterDrag(start: number, by: number): number {
  return within(start + by)
}

/**
 * The width after a key of the separator pattern, or undefined for any other key.
 * @param isMirrored whether the sidebar is at the right, so that its edge moves to the left
 */
export function widthAfterKey(width: number, key: string, isMirrored: boolean): number | undefined {
  const step = isMirrored ? -STEP : STEP
  switch (key) {
    case 'ArrowRight':
      return within(width + step)
    case 'ArrowLeft':
      return within(width - step)
    case 'Home':
      return sidebarWidths.least
    case 'End':
      return sidebarWidths.most
    default:
      return undefined
  }
}

/** Shows the width without saving it, because a drag has a width for each frame. */
export function showSidebarWidth(sidebarWidth: number): void {
  usePreferences.setState({ sidebarWidth })
}

export function saveSidebarWidth(sidebarWidth: number): void {
  setPreferences({ sidebarWidth })
}
