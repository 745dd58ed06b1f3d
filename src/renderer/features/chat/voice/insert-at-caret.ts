import { setDraft, useChat } from '../chat-store.ts'

/** Inserts text at the caret of the message field or over its selection, with spaces where words would touch. */
export function insertAtCaret(draft: string, insertion: string): void {
  const area = document.querySelector<HTMLTextAreaElement>('[data-composer]')
  const text = useChat.getState().drafts[draft] ?? ''
  const [from, to] =
    area?.value === text ? [area.selectionStart, area.selectionEnd] : [text.length, text.length]
  const { text: joined, caret } = joinedAt(text, from, to, insertion)
  setDraft(draft, joined)
  // Wait until the field has the new text.
  requestAnimationFrame(() => area?.setSelectionRange(caret, caret))
}

function joinedAt(
  text: string,
  from: number,
  to: number,
  insertion: string,
): { readonly text: string; readonly caret: number } {
  const [before, after] = [text.slice(0, from), text.slice(to)]
  const head = `${before}${/\S$/.test(before) ? ' ' : ''}${insertion}`
  return { text: `${head}${/^[\p{L}\p{N}]/u.test(after) ? ' ' : ''}${after}`, caret: head.length }
}
