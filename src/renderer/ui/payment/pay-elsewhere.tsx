import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState, type SyntheticEvent } from 'react'
import type { Purchase } from '../../../shared/purchase.ts'
import { Button } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { FailureNote } from '../failure-note.tsx'
import { Field } from '../field.tsx'
import { useAction } from '../use-action.ts'
import { formatSats } from '../format/money.ts'
import styles from './pay-elsewhere.module.css'
import { PaymentQr } from './payment-qr.tsx'

/** Another wallet's way: its camera reads the invoice, and it shows the preimage that proves the payment. */
export function PayElsewhere({ purchase, uri, open, prove }: { purchase: Purchase; uri: string; open: boolean; prove: (preimage: string) => Promise<void> }) {
  const invoice = invoiceOf(uri)
  return (
    <details className={styles.elsewhere} open={open || undefined}>
      <summary><Trans>Pay with another wallet</Trans></summary>
      <div className={styles.scan}>
        <PaymentQr uri={uri} title={t`Lightning invoice for ${formatSats(purchase.amountMsat)}`} payable={purchase.payable} />
        <div className={styles.fields}>
          <p className={styles.means}><Trans>Scan the code or copy the invoice. After you pay, paste the <strong>preimage</strong> (proof of payment) from your wallet here. The service delivers nothing without it. Don’t pay this way if your wallet doesn’t show the preimage.</Trans></p>
          <p className={styles.invoice}><code className={styles.short}>{invoice}</code><CopyButton label={t`Copy invoice`} word text={() => invoice} /></p>
          <PreimageForm prove={prove} />
        </div>
      </div>
    </details>
  )
}

function PreimageForm({ prove: handOver }: { prove: (preimage: string) => Promise<void> }) {
  const field = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string>()
  const prove = useAction(async () => {
    const preimage = field.current?.value.trim().toLowerCase() ?? ''
    // It is worth what was paid: it stands in its field until it is handed over, and nowhere else in the window.
    if (field.current) field.current.value = ''
    if (/^[0-9a-f]{64}$/.test(preimage)) return handOver(preimage)
    setFault(t`A preimage is 64 hexadecimal digits. The field was cleared. Paste it again.`)
    field.current?.focus()
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void prove.run()
  }
  return (
    <form className={styles.fields} onSubmit={submit} noValidate>
      <Field ref={field} label={t`Preimage`} type="password" autoComplete="off" maxLength={200} fault={fault} disabled={prove.busy} onInput={() => { if (fault !== undefined) setFault(undefined) }} />
      {prove.failure && <FailureNote failure={prove.failure} />}
      <div className={styles.actions}><Button type="submit" busy={prove.busy && t`Sending proof to the service…`}><Trans>I’ve paid</Trans></Button></div>
    </form>
  )
}

/** As it is written for copying: lower case, without the scheme. */
function invoiceOf(uri: string): string {
  return uri.replace(/^lightning:/i, '').toLowerCase()
}
