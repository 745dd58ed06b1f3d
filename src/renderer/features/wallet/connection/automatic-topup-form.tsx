import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field, Form } from '../../../ui/field.tsx'
import { formatUsd } from '../../../ui/format/money.ts'
import grouped from '../../../ui/grouped-form.module.css'
import { useStatus } from '../../../ui/status-store.ts'
import { useAction } from '../../../ui/use-action.ts'
import { useDraft } from '../../../ui/use-draft.ts'
import { ConnectionField, useConnectionInput } from './connection-field.tsx'
import styles from './connection.module.css'
import { budgetFor, readTerms } from './topup-terms.ts'
import { connectAutomaticTopup } from './wallet-store.ts'

/** The core accepts this text as a connection to the sandbox's own wallet, if the sandbox is the service. */
const SANDBOX_CONNECTION = 'sandbox'

const initial = { threshold: '10.00', amount: '10.00', topups: '4' }

/** The terms, and the key that is handed to the service with them. */
export function AutomaticTopupForm() {
  const input = useConnectionInput()
  const { form, draft, set, faults, check } = useDraft(initial, ({ threshold, amount }) =>
    readTerms(threshold, amount),
  )
  const budget = budgetFor(draft.amount, draft.topups)
  const sandbox = useStatus((state) => state.status?.service.kind === 'sandbox')
  const connectWith = async (readConnection: () => string | undefined) => {
    const terms = check()
    if (terms.faults) return
    const connection = readConnection()
    if (connection !== undefined) await connectAutomaticTopup({ connection, ...terms })
  }
  const connect = useAction(() => connectWith(input.take))
  const connectSandbox = useAction(() => connectWith(() => SANDBOX_CONNECTION))
  return (
    <Form
      ref={form}
      className={styles.form}
      onSubmit={() => void connect.run()}
      aria-label={t`Automatic top-up`}
    >
      <p className={styles.note} role="note">
        <span>
          <Trans>
            <strong>This gives the service a spending key.</strong> The service can charge the wallet at any
            time, within the connection’s limits. Sotto’s limits don’t apply. In your wallet, create a
            separate connection with a budget. Never use the one that Sotto pays with.
          </Trans>
        </span>
      </p>
      <div className={grouped.pair}>
        <Field
          label={t`When the balance falls below (USD)`}
          value={draft.threshold}
          onChange={(event) => set({ threshold: event.target.value })}
          inputMode="decimal"
          maxLength={12}
          fault={faults.threshold}
          hint={t`Minimum $5.00.`}
        />
        <Field
          label={t`Top-up amount (USD)`}
          value={draft.amount}
          onChange={(event) => set({ amount: event.target.value })}
          inputMode="decimal"
          maxLength={12}
          fault={faults.amount}
        />
      </div>
      <Field
        label={t`Expected top-ups per month`}
        value={draft.topups}
        onChange={(event) => set({ topups: event.target.value })}
        inputMode="numeric"
        maxLength={3}
        hint={
          budget === undefined ? (
            t`Used to suggest a budget for this connection in your wallet.`
          ) : (
            <Trans>
              In your wallet, set this connection’s budget to about <strong>{formatUsd(budget)}</strong> a
              month, and no more.
            </Trans>
          )
        }
      />
      <ConnectionField
        input={input}
        label={t`Wallet connection for the service`}
        disabled={connect.busy || connectSandbox.busy}
        hint={t`Starts with nostr+walletconnect://. It’s sent to the service and isn’t saved in Sotto. This field is cleared immediately.`}
      />
      {connect.failure && <FailureNote failure={connect.failure} />}
      {connectSandbox.failure && <FailureNote failure={connectSandbox.failure} />}
      <div className={styles.actions}>
        <Button type="submit" busy={connect.busy && t`Sending…`} disabled={connectSandbox.busy}>
          <Trans>Send connection to service…</Trans>
        </Button>
        {sandbox && (
          <Button
            onClick={() => void connectSandbox.run()}
            busy={connectSandbox.busy && t`Sending…`}
            disabled={connect.busy}
          >
            <Trans>Send demo wallet connection…</Trans>
          </Button>
        )}
        <span className={styles.hint}>
          <Trans>You’ll confirm in a system dialog or your terminal.</Trans>
        </span>
      </div>
    </Form>
  )
}
