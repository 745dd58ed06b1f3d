import { t } from '@lingui/core/macro'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import {
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import type { ShownMessage } from '../../../../shared/conversation-tree.ts'
import { IconButton } from '../../../ui/button.tsx'
import { formatCount } from '../../../ui/format/number.ts'
import { useShortcut } from '../../../ui/use-shortcut.ts'
import { isReactImeKey } from '../../../ui/ime-key.ts'
import { focusComposer } from '../panel-focus.ts'
import styles from './find-bar.module.css'
import { findMatches, findPattern } from './find-matches.ts'
import { hideFindBar, useFind } from './find-store.ts'
import { useHighlights } from './use-highlights.ts'

interface FindBarProps {
  shown: readonly ShownMessage[]
  scroller: RefObject<HTMLElement | null>
}

/** Finds text in the open chat. The browser's own search can't, because only the messages near the view are in the page. */
export function FindBar({ shown, scroller }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const pattern = useMemo(() => findPattern(query), [query])
  const searched = useDeferredValue(shown)
  const matches = useMemo(() => (pattern ? findMatches(searched, pattern) : []), [searched, pattern])
  // Each choice is a new object, because the same match can be chosen again.
  const [chosen, setChosen] = useState({ place: 0 })
  const index = Math.min(chosen.place, matches.length - 1)
  const current = matches[index]
  const reveal = useHighlights(scroller, pattern, current)

  useShortcut('find', () => {
    field.current?.focus()
    field.current?.select()
  })
  useEffect(() => field.current?.focus(), [])
  useEffect(() => useFind.setState({ current }), [current])
  // New messages change the matches, but only a choice may move the reader.
  useEffect(reveal, [chosen, reveal])

  const step = (by: number) => {
    if (matches.length > 0) setChosen({ place: (index + by + matches.length) % matches.length })
  }
  const close = () => {
    hideFindBar()
    focusComposer()
  }
  const pressed = (event: KeyboardEvent) => {
    if (isReactImeKey(event)) return
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && event.target === field.current) step(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
  }
  return (
    <search className={styles.bar} aria-label={t`Find in this chat`} onKeyDown={pressed}>
      <input
        ref={field}
        className={styles.field}
        type="text"
        dir={query === '' ? undefined : 'auto'}
        value={query}
        placeholder={t`Find in this chat`}
        aria-label={t`Find in this chat`}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target: { value } }) => {
          setQuery(value)
          setChosen({ place: firstInView(scroller.current, value, shown) })
        }}
      />
      <span className={styles.count} role="status">
        {pattern && (current ? place(index + 1, matches.length) : t`No matches`)}
      </span>
      <IconButton label={t`Previous match`} aria-disabled={!current} onClick={() => step(-1)}>
        <ChevronUp size={16} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <IconButton label={t`Next match`} aria-disabled={!current} onClick={() => step(1)}>
        <ChevronDown size={16} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <IconButton label={t`Close search`} onClick={close}>
        <X size={16} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </search>
  )
}

function place(number: number, count: number): string {
  return t`${formatCount(number)} of ${formatCount(count)}`
}

/** The first match in the messages from the top of the view on, so that a search starts where the reader is. */
function firstInView(scroller: HTMLElement | null, query: string, shown: readonly ShownMessage[]): number {
  const pattern = findPattern(query)
  if (!scroller || !pattern) return 0
  const top = scroller.getBoundingClientRect().top
  const inView = [...scroller.querySelectorAll<HTMLElement>('[data-message]')].find(
    (row) => row.getBoundingClientRect().bottom > top,
  )
  const from = shown.findIndex(({ message }) => message.id === inView?.dataset['message'])
  const before = findMatches(shown.slice(0, Math.max(from, 0)), pattern).length
  const all = findMatches(shown, pattern).length
  return before < all ? before : 0
}
