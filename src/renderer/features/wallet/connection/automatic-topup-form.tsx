import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState, type SyntheticEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field } from '../../../ui/field.tsx'
import { formatUsd } from '../../../ui/format/money.ts'
import { useStatus } from '../../../ui/status-store.ts'
import { useAction } from '../../../ui/use-action.ts'
import { ConnectionField, useConnectionInput } from './connection-field.tsx'
import styles from './connection.module.css'
import { budgetFor, readTerms, type TermFaults } from './topup-terms.ts'
import { connectAutomaticTopup } from './wallet-store.ts'

/** What the core takes for a connection of the sandbox’s own wallet, where the sandbox is the service. */
const SANDBOX_CONNECTION = 'sandbox'

/** The terms, and the key that is handed to the service with them. */
export function AutomaticTopupForm() {
  const form = useRef<HTMLFormElement>(null)
  const input = useConnectionInput()
  const [threshold, setThreshold] = useState('10.00')
  const [amount, setAmount] = useState('10.00')
  const [topups, setTopups] = useState('4')
  const [faults, setFaults] = useState<TermFaults>({})
  const budget = budgetFor(amount, topups)
  const sandbox = useStatus((state) => state.status?.service.kind === 'sandbox')
  const connectWith = async (given: () => string | undefined) => {
    const terms = readTerms(threshold, amount)
    if (terms.faults) {
      setFaults(terms.faults)
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return
    }
    const connection = given()
    if (connection !== undefined) await connectAutomaticTopup({ connection, ...terms })
  }
  const connect = useAction(() => connectWith(input.take))
  const pretend = useAction(() => connectWith(() => SANDBOX_CONNECTION))
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void connect.run()
  }
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate aria-label={t`Automatic topup`}>
      <p className={styles.note} role="note">
        <span><Trans><strong>This hands a spending key to the service.</strong> With it the service can charge the wallet at any time, as far as the wallet lets this connection, and no rule of Sotto’s stands in between. Make a separate connection for it in your wallet, with a budget; never the one that Sotto pays with.</Trans></span>
      </p>
      <div className={styles.pair}>
        <Field label={t`When the balance is below, US dollars`} value={threshold} onChange={(event) => { setThreshold(event.target.value); setFaults({ ...faults, threshold: undefined }) }} inputMode="decimal" maxLength={12} fault={faults.threshold} hint={t`The service takes 5.00 or more.`} />
        <Field label={t`Charge the wallet, US dollars`} value={amount} onChange={(event) => { setAmount(event.target.value); setFaults({ ...faults, amount: undefined }) }} inputMode="decimal" maxLength={12} fault={faults.amount} />
      </div>
      <Field
        label={t`Topups that you expect in a month`}
        value={topups}
        onChange={(event) => setTopups(event.target.value)}
        inputMode="numeric"
        maxLength={3}
        hint={budget === undefined ? t`For the budget that this connection should have in your wallet.` : <Trans>Then give the connection a budget of about <strong>{formatUsd(budget)}</strong> a month in your wallet, and no more.</Trans>}
      />
      <ConnectionField input={input} label={t`Connection for the service`} disabled={connect.busy || pretend.busy} hint={t`Begins with nostr+walletconnect://. It goes to the service; Sotto does not keep it, and this field is cleared at once.`} />
      {connect.failure && <FailureNote failure={connect.failure} />}
      {pretend.failure && <FailureNote failure={pretend.failure} />}
      <div className={styles.actions}>
        <Button type="submit" busy={connect.busy && t`Handing it over…`} disabled={pretend.busy}><Trans>Hand it to the service…</Trans></Button>
        {sandbox && <Button onClick={() => void pretend.run()} busy={pretend.busy && t`Handing it over…`} disabled={connect.busy}><Trans>Hand over the sandbox’s wallet…</Trans></Button>}
        <span className={styles.hint}><Trans>You confirm it outside this window.</Trans></span>
      </div>
    </form>
  )
}
