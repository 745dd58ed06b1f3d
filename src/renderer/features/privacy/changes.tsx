import { Trans } from '@lingui/react/macro'
import {
  changesBetween,
  meaningOf,
  type ComparedEnclave,
  type EnclaveChange,
} from '../../../shared/enclave-change.ts'
import { groupHex, isHex } from '../../ui/format/number.ts'
import { fromCore } from '../../ui/language/core-sentences.ts'
import styles from './changes.module.css'

/** The differences between two enclaves: a sentence, then the old and new value of each. */
export function Changes({ before, after }: { before: ComparedEnclave; after: ComparedEnclave }) {
  const changes = changesBetween(before, after)
  return (
    <>
      <p className={styles.meaning}>{fromCore(meaningOf(changes))}</p>
      {changes.length > 0 && (
        <dl className={styles.changes}>
          {changes.map((change) => (
            <Change key={change.name} change={change} />
          ))}
        </dl>
      )}
    </>
  )
}

function Change({ change: { name, before, after } }: { change: EnclaveChange }) {
  return (
    <div>
      <dt>{fromCore(name)}</dt>
      <dd>
        <span className={styles.side}>
          <Trans>Before</Trans>
        </span>{' '}
        <Value text={before} />
      </dd>
      <dd>
        <span className={styles.side}>
          <Trans>Now</Trans>
        </span>{' '}
        <Value text={after} />
      </dd>
    </div>
  )
}

function Value({ text }: { text: string | undefined }) {
  if (text === undefined)
    return (
      <span className={styles.none}>
        <Trans>none</Trans>
      </span>
    )
  return isHex(text) ? <code>{groupHex(text)}</code> : <span>{text}</span>
}
