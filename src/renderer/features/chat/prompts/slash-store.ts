import type { KeyboardEvent } from 'react'
import { create } from 'zustand'

/**
 * The prompt list that is attached to the message field: its ARIA state (WAI-ARIA, aria-activedescendant) and its key
 * handler.
 */
interface SlashList {
  readonly listId: string
  readonly activeId: string | undefined
  /** True if the list handled the key. */
  readonly take: (event: KeyboardEvent) => boolean
}

export const useSlash = create<{ readonly list: SlashList | undefined; readonly dismissed: boolean }>()(
  () => ({ list: undefined, dismissed: false }),
)

/**
 * True for a text that is only a slash and a few words. Any other text that begins with a slash is a normal message.
 */
export function asksForPrompt(text: string): boolean {
  return /^\/[^\n/]{0,60}$/.test(text)
}
