import { useCallback, useEffect, type KeyboardEvent } from 'react'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { setDraft } from '../chat-store.ts'
import { asksForPrompt, useSlash } from './slash-store.ts'

const SlashPrompts = lazyComponent(async () => (await import('./slash-prompts.tsx')).SlashPrompts)

/** The prompts that a message names which is nothing but a slash and a word. Escape leaves it as text. */
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
      // Once the form that asked is gone, and has given the focus back.
      requestAnimationFrame(focusText)
    },
    [draft, focusText],
  )
  return asks && !dismissed ? <SlashPrompts text={text} insert={insert} /> : null
}

/** What the field says while the list is there. */
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

/** True where a key of the field was the list's. */
export function takenBySlash(event: KeyboardEvent): boolean {
  return useSlash.getState().list?.take(event) === true
}
