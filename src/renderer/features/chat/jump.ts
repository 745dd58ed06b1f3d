import type { VirtualizerHandle } from 'virtua'
import { create } from 'zustand'

/**
 * The message to bring into view, until a thread shows it. Rows that are far away aren't in the page before the jump.
 */
export const useJump = create<{ readonly to: { readonly messageId: string } | undefined }>()(() => ({
  to: undefined,
}))

export function jumpTo(messageId: string): void {
  useJump.setState({ to: { messageId } })
}

/**
 * Where the view starts when as much of a row as possible is in it, as near as possible to where it starts now.
 * @param top where it starts now, in pixels from the start of the list
 */
export function placeInView(rows: VirtualizerHandle, index: number, top: number): number {
  const start = rows.getItemOffset(index)
  const end = start + rows.getItemSize(index) - rows.viewportSize
  return Math.min(start, Math.max(end, top))
}
