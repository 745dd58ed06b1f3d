import type { KeyboardEvent } from 'react'
import { create } from 'zustand'

/** What the message's field says of the list that hangs on it (WAI-ARIA, aria-activedescendant), and how it hands keys on. */
interface SlashList {
  readonly listId: string
  readonly activeId: string | undefined
  /** True where the key was meant for the list. */
  readonly take: (event: KeyboardEvent) => boolean
}

export const useSlash = create<{ readonly list: SlashList | undefined; readonly dismissed: boolean }>()(
  () => ({ list: undefined, dismissed: false }),
)

/** A slash and one word or two, at the beginning and alone: all else that begins with a slash is text. */
export function asksForPrompt(text: string): boolean {
  return /^\/[^\n/]{0,60}$/.test(text)
}
