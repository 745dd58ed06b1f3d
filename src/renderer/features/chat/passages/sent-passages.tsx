import { plural } from '@lingui/core/macro'
import type { Passage } from '../../../../shared/knowledge.ts'
import { useLanguage } from '../../../ui/language/language.ts'
import { placeWords } from './passage-words.ts'
import styles from './passages.module.css'

/** The passages that a question took along, under their numbers. */
export function SentPassages({ passages }: { passages: readonly Passage[] }) {
  useLanguage()
  return (
    <details className={styles.sent}>
      <summary>{plural(passages.length, { one: '# passage sent', other: '# passages sent' })}</summary>
      <PassageList passages={passages} numbers={passages.map((_, at) => at + 1)} />
    </details>
  )
}

/** The passages that a reply cites. */
export function CitedPassages({
  passages,
  cited,
}: {
  passages: readonly Passage[]
  cited: readonly number[]
}) {
  useLanguage()
  return (
    <details className={styles.sent} open>
      <summary>
        {plural(cited.length, {
          one: '# source in the project’s files',
          other: '# sources in the project’s files',
        })}
      </summary>
      <PassageList passages={passages} numbers={cited} />
    </details>
  )
}

/** The message around it opens a passage, as for a mark in a reply. @param numbers from 1 */
function PassageList({ passages, numbers }: { passages: readonly Passage[]; numbers: readonly number[] }) {
  return (
    <ol className={styles.sources}>
      {numbers.map((number) => {
        const passage = passages[number - 1]
        return (
          passage && (
            <li key={number} value={number}>
              <button type="button" className={styles.open} data-source={number}>
                <bdi>{passage.document}</bdi>
              </button>
              <span className={styles.place}>, {placeWords(passage.place)}</span>
            </li>
          )
        )
      })}
    </ol>
  )
}
