import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import type { Found, SearchAnswer, Excerpt } from '../../../shared/library/search.ts'
import { ConversationGlyph } from '../../ui/conversation-glyph.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatCount } from '../../ui/format/number.ts'
import { isReactImeKey } from '../../ui/ime-key.ts'
import { scrollIntoList } from '../../ui/into-view.ts'
import { ask, prepare, useSearch } from './search-store.ts'
import styles from './search.module.css'

/** Characters that change the order of text. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

/** A text with its matches marked. The text is untrusted, so characters that change its order are replaced. */
function Marked({ excerpt }: { excerpt: Excerpt }) {
  const { marks } = excerpt
  const text = excerpt.text.replace(TURNS, '\ufffd')
  const parts = marks.flatMap(([from, to], index) => [
    <span key={`t${String(from)}`}>{text.slice(marks[index - 1]?.[1] ?? 0, from)}</span>,
    <mark key={`m${String(from)}`} className={styles.mark}>
      {text.slice(from, to)}
    </mark>,
  ])
  return (
    <bdi>
      {parts}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </bdi>
  )
}

/** Marks the search field of the conversation list, which the search shortcut focuses. */
export const FIELD = 'data-search-conversations'

interface SearchFieldProps {
  /** Opens a chosen conversation, at its best matching message if one matches. */
  onOpen: (conversationId: string, messageId: string | undefined) => void
  autoFocus?: boolean
}

/** Searches the messages of conversations while the person types. */
export function SearchField({ onOpen, autoFocus = false }: SearchFieldProps) {
  const list = useId()
  const question = useSearch((state) => state.question)
  const answer = useSearch((state) => state.answer)
  const failure = useSearch((state) => state.failure)
  const [chosen, setChosen] = useState(0)
  const found = question.trim() === '' ? [] : (answer?.found ?? [])
  const at = Math.min(chosen, Math.max(found.length - 1, 0))
  const open = (one: Found | undefined) => {
    if (one) onOpen(one.conversation.id, one.excerpts[0]?.messageId)
  }
  const pressed = (event: KeyboardEvent) => {
    if (isReactImeKey(event)) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && found.length > 0) {
      event.preventDefault()
      setChosen((at + step + found.length) % found.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      open(found[at])
    } else if (event.key === 'Escape' && question !== '') {
      event.preventDefault()
      ask('')
    }
  }
  return (
    <>
      <div className={styles.box}>
        <Search className={styles.icon} size={16} strokeWidth={1.75} aria-hidden />
        <input
          className={styles.field}
          type="search"
          value={question}
          onChange={(event) => {
            ask(event.target.value)
            setChosen(0)
          }}
          onFocus={prepare}
          onKeyDown={pressed}
          placeholder={t`Search chats`}
          aria-label={t`Search chats`}
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls={list}
          {...(found[at] ? { 'aria-activedescendant': `${list}-${String(at)}` } : {})}
          {...{ [FIELD]: '' }}
          autoFocus={autoFocus}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      {question.trim() !== '' && (
        <div className={styles.answer}>
          {failure && <FailureNote failure={failure} />}
          <p className={styles.count} role="status">
            {failure ? '' : countOf(answer)}
          </p>
          <ul className={styles.found} id={list} role="listbox" aria-label={t`Chats found`}>
            {found.map((one, index) => (
              <FoundRow
                key={one.conversation.id}
                id={`${list}-${String(index)}`}
                found={one}
                here={index === at}
                onPoint={() => setChosen(index)}
                onOpen={() => open(one)}
              />
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

function FoundRow({
  id,
  found: { conversation, title, excerpts },
  here,
  onPoint,
  onOpen,
}: {
  id: string
  found: Found
  here: boolean
  onPoint: () => void
  onOpen: () => void
}) {
  return (
    <li
      id={id}
      role="option"
      aria-selected={here}
      className={styles.row}
      ref={here ? scrollIntoList : undefined}
      onPointerMove={onPoint}
      onClick={onOpen}
    >
      <span className={styles.title}>
        <ConversationGlyph conversation={conversation} className={styles.glyph} named />
        <Marked excerpt={title} />
      </span>
      {excerpts.map(({ messageId, role, excerpt }) => (
        <span key={messageId} className={styles.excerpt}>
          {role === 'user' ? (
            <>
              <Trans>You:</Trans>{' '}
            </>
          ) : role === 'system' ? (
            <>
              <Trans>Instructions:</Trans>{' '}
            </>
          ) : (
            ''
          )}
          <Marked excerpt={excerpt} />
        </span>
      ))}
    </li>
  )
}

function countOf(answer: SearchAnswer | undefined): string {
  if (!answer) return t`Searching…`
  const {
    found: { length },
    more,
    reading,
  } = answer
  const count =
    length === 0
      ? t`No matches`
      : more
        ? plural(length, { one: 'First chat', other: 'First # chats' })
        : plural(length, { one: '# chat', other: '# chats' })
  return reading
    ? t`${count} so far; searched ${formatCount(reading.read)} of ${formatCount(reading.of)}`
    : `${count}${length === 0 ? '.' : ''}`
}
