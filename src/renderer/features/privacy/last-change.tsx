import { t } from '@lingui/core/macro'
import type { VerifiedEnclave } from '../../../shared/verified-enclave.ts'
import { formatDateTime } from '../../ui/format/time.ts'
import { Section } from '../../ui/view.tsx'
import { Changes } from './changes.tsx'
import styles from './last-change.module.css'
import { usePrivacy } from './privacy-store.ts'

/** Compares the current enclave with the previous one. */
export function LastChange() {
  const history = usePrivacy().data?.history
  if (!history?.[0]) return null
  return (
    <Section title={t`Latest change`}>
      <ChangeSince history={history} />
    </Section>
  )
}

/** @param history the last seen first */
export function ChangeSince({ history: [current, ...earlier] }: { history: readonly VerifiedEnclave[] }) {
  if (!current) return null
  const before = earlier.find(({ enclaveHost }) => enclaveHost === current.enclaveHost)
  return (
    <>
      {before ? (
        <>
          <p
            className={styles.when}
          >{t`Since ${formatDateTime(current.sinceAt)}. The previous enclave was last seen ${formatDateTime(before.lastSeenAt)}.`}</p>
          <Changes before={before} after={current} />
        </>
      ) : (
        <p
          className={styles.when}
        >{t`First enclave verified on this computer: ${formatDateTime(current.firstSeenAt)}. Nothing has changed since.`}</p>
      )}
    </>
  )
}
