import { t } from '@lingui/core/macro'
import { attachFiles } from './attachments/attached-store.ts'
import { filesWithTheirNames, isLongPaste, pastedFiles } from '../../files/given-files.ts'
import { setDraft, useChat } from './chat-store.ts'

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

const MAX_MARKUP = 2_000_000
/** Elements that Markdown can express. Editors copy code with colored spans only, and that must stay as it is. */
const STRUCTURE = /<(?:h[1-6]|ul|ol|table|strong|b|em|i|a|pre|code|blockquote)[\s>]/i
/** Cells are copied as a table, and their text is better for a model. */
const SPREADSHEET = /urn:schemas-microsoft-com:office:excel|google-sheets-html-origin|data-sheets-/i

/**
 * Handles a paste into the message: files and long texts are attached, and formatted text becomes Markdown.
 *
 * @returns false if the browser should paste the text
 */
export function handlePaste(draft: string, data: DataTransfer): boolean {
  const markup = richMarkup(data)
  if (markup !== undefined) {
    void pasteMarkup(draft, markup, data.getData('text/plain'))
    return true
  }
  const files = pastedFiles(data)
  if (files.length > 0) void attachFiles(draft, files)
  return files.length > 0
}

/** @returns HTML with a structure that its plain text loses; undefined if there is none */
function richMarkup(data: DataTransfer): string | undefined {
  if (!data.types.includes('text/html') || filesWithTheirNames(data).length > 0) return undefined
  const markup = data.getData('text/html')
  const isRich = markup.length <= MAX_MARKUP && STRUCTURE.test(markup) && !SPREADSHEET.test(markup)
  return isRich ? markup : undefined
}

async function pasteMarkup(draft: string, markup: string, plain: string): Promise<void> {
  const text = await markdownOr(markup, plain)
  if (text === '') return
  if (isLongPaste(text)) {
    void attachFiles(draft, [new File([text], `${t`Pasted text`}.md`, { type: 'text/markdown' })])
    return
  }
  const area = document.activeElement
  const isFocused = area?.matches('[data-composer]') === true
  // This is the only way to insert text that the person can undo.
  // oxlint-disable-next-line typescript/no-deprecated
  const inserted = isFocused && document.execCommand('insertText', false, text)
  if (!inserted) insertAtCaret(draft, text)
}

async function markdownOr(markup: string, plain: string): Promise<string> {
  try {
    const { markdownOfHtml } = await import('../../../shared/markup/html-to-markdown.ts')
    return markdownOfHtml(markup) || plain
  } catch {
    // Nested too deeply, or the window's own code couldn't be loaded.
    return plain
  }
}
