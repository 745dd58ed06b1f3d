import { useCallback, useEffect, type KeyboardEvent } from 'react'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { setDraft } from '../chat-store.ts'
import { asksForPrompt, useSlash } from './slash-store.ts'

const SlashPrompts = lazyComponent(async () => (await import('./slash-prompts.tsx')).SlashPrompts)

/** Lists matching prompts while the message is only a slash and a word. Escape keeps the message as text. */
export function ComposerSlash({
  draft,
  text,
  focusText,
}: {
  draft: string
  text: string
  focusText: () => void
}) {
  const dismissed = useSlash((state) => state.dismissed)
  const asks = asksForPrompt(text)
  useEffect(() => {
    if (!asks) useSlash.setState({ dismissed: false })
  }, [asks])
  const insert = useCallback(
    (filled: string) => {
      setDraft(draft, filled)
      // Wait until the form is closed, because it first returns the focus.
      requestAnimationFrame(focusText)
    },
    [draft, focusText],
  )
  return asks && !dismissed ? <SlashPrompts text={text} insert={insert} /> : null
}

/** The ARIA attributes of the message field while the list is shown. */
export function useSlashAria(): object {
  const list = useSlash((state) => state.list)
  return list
    ? {
        'aria-autocomplete': 'list',
        'aria-haspopup': 'listbox',
        'aria-controls': list.listId,
        'aria-activedescendant': list.activeId,
      }
    : {}
}

/** True if the list handled a key of the field. */
export function takenBySlash(event: KeyboardEvent): boolean {
  return useSlash.getState().list?.take(event) === true
}
