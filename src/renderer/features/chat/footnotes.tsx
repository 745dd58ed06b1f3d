import { t } from '@lingui/core/macro'
import { createContext, use, useId, useMemo, type ReactNode } from 'react'
import { useLanguage } from '../../ui/language/language.ts'
import type { Footnote } from './footnote-source.ts'
import styles from './markdown.module.css'

interface Notes {
  readonly numbers: ReadonlyMap<string, number>
  readonly place: string
}

const NotesContext = createContext<Notes>({ numbers: new Map(), place: '' })

/**
 * Provides the notes of a text to its references. The numbers count through the whole text, regardless of a reference's
 * block.
 */
export function WithNotes({ notes, children }: { notes: readonly Footnote[]; children: ReactNode }) {
  const place = useId()
  const value = useMemo(
    () => ({ place, numbers: new Map(notes.map(({ label }, index) => [label, index + 1])) }),
    [notes, place],
  )
  return <NotesContext value={value}>{children}</NotesContext>
}

/** A reference, which links to its note. The note links back to it. */
export function NoteReference({ label }: { label: string }) {
  useLanguage()
  const { numbers, place } = use(NotesContext)
  const number = numbers.get(label)
  if (number === undefined) return <>[^{label}]</>
  return (
    <button
      type="button"
      className={styles.reference}
      data-note={`${place}-${String(number)}`}
      aria-label={t`Footnote ${number}`}
      onClick={() => show(`${place}-${String(number)}`)}
    >
      {number}
    </button>
  )
}

export function NoteList({
  notes,
  render,
}: {
  notes: readonly Footnote[]
  render: (source: string) => ReactNode
}) {
  useLanguage()
  const { place } = use(NotesContext)
  return (
    <section className={styles.notes} aria-label={t`Footnotes`}>
      <ol>
        {notes.map(({ label, source }, index) => {
          const number = index + 1
          const id = `${place}-${String(number)}`
          return (
            <li key={label} id={id} tabIndex={-1}>
              {render(source)}
              <button
                type="button"
                className={styles.back}
                aria-label={t`Back to footnote ${number} in the text`}
                onClick={() => goBack(id)}
              >
                ↩
              </button>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function show(id: string): void {
  const note = document.getElementById(id)
  note?.focus({ preventScroll: true })
  note?.scrollIntoView({ block: 'nearest' })
}

function goBack(id: string): void {
  const reference = [...document.querySelectorAll<HTMLElement>('button[data-note]')].find(
    ({ dataset }) => dataset['note'] === id,
  )
  reference?.focus({ preventScroll: true })
  reference?.scrollIntoView({ block: 'nearest' })
}
