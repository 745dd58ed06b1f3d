import type { Excerpt } from '../../../shared/library/search.ts'
import styles from './search.module.css'

/** Characters that change the order of text. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g

/** A text with its matches marked. The text is untrusted, so characters that change its order are replaced. */
export function Marked({ excerpt }: { excerpt: Excerpt }) {
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
