import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import {
  isSandboxWalletFault,
  sandboxWalletFaultNames,
  sandboxWalletFaults,
} from '../../../shared/sandbox-wallet-faults.ts'
import { classNames } from '../../ui/class-names.ts'
import { asFailure } from '../../ui/failure.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { setWalletFault, useFaults } from '../../ui/fault-store.ts'
import { fromCore } from '../../ui/language/core-sentences.ts'
import { Select } from '../../ui/select.tsx'
import styles from './sandbox-section.module.css'

let lastChange: Promise<void> = Promise.resolve()

/** The simulated fault of the sandbox's wallet. A change takes effect at once, one after the other. */
export function WalletControl() {
  const fault = useFaults((state) => state.wallet)
  const [failure, setFailure] = useState<Failure>()
  /** The selection while the call is pending, so that the next arrow key continues from it. */
  const [chosen, setChosen] = useState<string>()
  const choose = async (name: string) => {
    setChosen(name)
    const pending = lastChange.then(() => setWalletFault(isSandboxWalletFault(name) ? name : null))
    lastChange = pending.catch(() => undefined)
    try {
      await pending
      setFailure(undefined)
    } catch (thrown) {
      setFailure(asFailure(thrown))
    }
    setChosen((latest) => (latest === name ? undefined : latest))
  }
  return (
    <div className={classNames(styles.group, fault !== null && styles.on)}>
      <div className={styles.row}>
        <div className={styles.name}>
          <h3>
            <Trans>Demo wallet</Trans>
          </h3>
          {fault !== null && (
            <span className={styles.mark}>
              <Trans>on</Trans>
            </span>
          )}
          <span className={styles.note}>
            <Trans>Pays over Lightning, in demo mode only</Trans>
          </span>
        </div>
        <Select
          aria-label={t`Demo wallet: behavior`}
          value={chosen ?? fault ?? ''}
          onChange={({ target: { value } }) => void choose(value)}
        >
          <option value="">{t`Pays normally`}</option>
          {sandboxWalletFaultNames.map((name) => (
            <option key={name} value={name}>
              {fromCore(sandboxWalletFaults[name])}
            </option>
          ))}
        </Select>
        {failure && <FailureNote failure={failure} className={styles.failure} />}
      </div>
    </div>
  )
}
