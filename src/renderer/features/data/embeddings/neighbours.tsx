import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useMemo, useState } from 'react'
import { Field } from '../../../ui/field.tsx'
import { formatCount } from '../../../ui/format/number.ts'
import styles from './embeddings.module.css'
import type { Neighbour } from './similarity.ts'
import { formatSimilarity } from './use-similarity.ts'

const MOST_FOUND = 50

interface NeighboursProps {
  labels: readonly string[]
  chosen: number
  /** Undefined while the worker calculates them. */
  neighbours: readonly Neighbour[] | undefined
  onChosen: (index: number) => void
}

/** A search for a text, and the texts nearest to the selected one. */
export function Neighbours({ labels, chosen, neighbours, onChosen }: NeighboursProps) {
  const id = useId()
  const [query, setWords] = useState('')
  const found = useMemo(() => findTexts(labels, query), [labels, query])
  return (
    <div className={styles.neighbours}>
      <div className={styles.find}>
        <Field
          label={t`Find text`}
          type="search"
          value={query}
          onChange={({ target }) => setWords(target.value)}
        />
        <p className={styles.quiet} role="status">
          {foundSentence(found.length, labels.length, query)}
        </p>
        <ul className={styles.texts} aria-label={t`Texts`} tabIndex={0}>
          {found.slice(0, MOST_FOUND).map((index) => (
            <li key={index}>
              <button
                type="button"
                className={styles.text}
                aria-pressed={index === chosen}
                onClick={() => onChosen(index)}
              >
                {labels[index]}
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.find}>
        <h3 id={id} className={styles.about}>{t`Nearest to “${labels[chosen] ?? ''}”`}</h3>
        {!neighbours && (
          <p className={styles.quiet} role="status">
            <Trans>Calculating…</Trans>
          </p>
        )}
        {neighbours?.length === 0 && (
          <p className={styles.quiet}>
            <Trans>No other texts</Trans>
          </p>
        )}
        {neighbours && neighbours.length > 0 && (
          <ol className={styles.texts} aria-labelledby={id} tabIndex={0} data-testid="neighbours">
            {neighbours.map(({ index, similarity }) => (
              <li key={index}>
                <button type="button" className={styles.text} onClick={() => onChosen(index)}>
                  <span className={styles.value}>{formatSimilarity(similarity)}</span>{' '}
                  <span>{labels[index]}</span>
                </button>
              </li>
            ))}
          </ol>
        )}
      </div>
    </div>
  )
}

/** The texts that contain every word. */
export function findTexts(labels: readonly string[], query: string): number[] {
  const wanted = query
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return labels.flatMap((label, index) => {
    const text = label.toLocaleLowerCase()
    return wanted.every((word) => text.includes(word)) ? [index] : []
  })
}

function foundSentence(found: number, of: number, query: string): string {
  const [all, some] = [formatCount(of), formatCount(found)]
  if (query.trim() === '')
    return found > MOST_FOUND
      ? t`First ${MOST_FOUND} of ${all} texts`
      : plural(of, { one: '# text', other: '# texts' })
  if (found > MOST_FOUND) return t`${some} found; showing the first ${MOST_FOUND}`
  return found === 0 ? t`No matches` : plural(found, { one: '# found', other: '# found' })
}
