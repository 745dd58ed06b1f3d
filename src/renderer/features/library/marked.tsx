import type { Excerpt } from '../../../shared/library/search.ts'
import styles from './search.module.css'

/** A text with what was asked for marked in it. It came from anywhere: it is turned by nothing but itself. */
export function Marked({ excerpt: { text, marks } }: { excerpt: Excerpt }) {
  const parts = marks.flatMap(([from, to], index) => [
    <span key={`t${String(from)}`}>{text.slice(marks[index - 1]?.[1] ?? 0, from)}</span>,
    <mark key={`m${String(from)}`} className={styles.mark}>{text.slice(from, to)}</mark>,
  ])
  return <bdi>{parts}{text.slice(marks.at(-1)?.[1] ?? 0)}</bdi>
}
