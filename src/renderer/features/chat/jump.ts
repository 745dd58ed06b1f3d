import { create } from 'zustand'

/**
 * The message to bring into view. Each jump sets a new object. Rows that are far away aren't in the page before the
 * jump.
 */
export const useJump = create<{ readonly to: { readonly messageId: string } | undefined }>()(() => ({
  to: undefined,
}))

export function jumpTo(messageId: string): void {
  useJump.setState({ to: { messageId } })
}

const FRAMES = 60

/** A row that was not in the page before is hidden until its height is known, and takes no focus until then. */
export function focusOnceShown(element: HTMLElement | null, frames = FRAMES): void {
  if (!element?.isConnected) return
  element.focus()
  if (document.activeElement !== element && frames > 0)
    requestAnimationFrame(() => focusOnceShown(element, frames - 1))
}
