import type { KeyboardEvent } from 'react'
import { create } from 'zustand'
import { fillPrompt, parsePrompt, variablesOf } from '../../../../shared/prompt-template.ts'
import { setDraft, useChat } from '../chat-store.ts'
import { focusComposer } from '../panel-focus.ts'
import { usePrompts } from './prompt-store.ts'

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

type Written = { readonly name: string; readonly text: string }

/** Inserts a prompt. If it has variables, the person fills them in first. */
export function fillIn({ name, text }: Written, insert: (text: string) => void): void {
  const parts = parsePrompt(text)
  if (variablesOf(parts).length === 0) insert(fillPrompt(parts, {}))
  else usePrompts.setState({ filling: { name, text, insert } })
}

/** Appends the prompt to this draft in the composer. Nothing is sent. */
export function insertIntoDraft(draft: string, prompt: Written): void {
  fillIn(prompt, (filled) => {
    const before = useChat.getState().drafts[draft] ?? ''
    setDraft(draft, before.trim() === '' ? filled : `${before.trimEnd()}\n\n${filled}`)
    requestAnimationFrame(focusComposer)
  })
}
