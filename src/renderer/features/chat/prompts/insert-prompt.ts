import { fillPrompt, parsePrompt, variablesOf } from '../../../../shared/prompt-template.ts'
import { setDraft, useChat } from '../chat-store.ts'
import { usePrompts } from './prompt-store.ts'

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
    requestAnimationFrame(() => document.querySelector<HTMLTextAreaElement>('[data-composer]')?.focus())
  })
}
