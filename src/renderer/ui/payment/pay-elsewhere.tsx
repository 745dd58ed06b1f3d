import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Purchase } from '../../../shared/purchase.ts'
import { CopyButton } from '../copy-button.tsx'
import { formatSats } from '../format/money.ts'
import styles from './pay-elsewhere.module.css'
import { PaymentQr } from './payment-qr.tsx'
import { PreimageForm } from './preimage-form.tsx'

/** Another wallet's way: its camera reads the invoice, and it shows the preimage that proves the payment. */
export function PayElsewhere({
  purchase,
  uri,
  open,
  prove,
}: {
  purchase: Purchase
  uri: string
  open: boolean
  prove: (preimage: string) => Promise<void>
}) {
  const invoice = invoiceOf(uri)
  return (
    <details className={styles.elsewhere} open={open || undefined}>
      <summary>
        <Trans>Pay with another wallet</Trans>
      </summary>
      <div className={styles.scan}>
        <PaymentQr
          uri={uri}
          title={t`Lightning invoice for ${formatSats(purchase.amountMsat)}`}
          payable={purchase.payable}
        />
        <div className={styles.fields}>
          <p className={styles.means}>
            <Trans>
              Scan the code or copy the invoice. After you pay, paste the <strong>preimage</strong> (proof of
              payment) from your wallet here. The service delivers nothing without it. Don’t pay this way if
              your wallet doesn’t show the preimage.
            </Trans>
          </p>
          <p className={styles.invoice}>
            <code className={styles.short}>{invoice}</code>
            <CopyButton label={t`Copy invoice`} word text={() => invoice} />
          </p>
          <PreimageForm prove={prove} />
        </div>
      </div>
    </details>
  )
}

/** The invoice in the form for copying: lower case, without the scheme. */
function invoiceOf(uri: string): string {
  return uri.replace(/^lightning:/i, '').toLowerCase()
}
