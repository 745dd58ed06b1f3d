import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Topup } from '../../../../shared/topup.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import styles from './topups.module.css'
import { coinWords, formatAmount } from './topup-words.ts'

/** The price, before it is spent; what comes of it is told where the invoice stands. */
export function PayDialog({
  topup,
  simulated,
  pay,
  close,
}: {
  topup: Topup
  simulated: boolean
  pay: () => void
  close: () => void
}) {
  const cost = coinWords(topup)
  const agree = () => {
    close()
    pay()
  }
  return (
    <Dialog
      open
      onClose={close}
      alert
      title={simulated ? t`Pay with the demo wallet?` : t`Pay with your connected wallet?`}
      says={
        simulated
          ? t`The demo wallet holds no real money. Everything else works like a real one.`
          : t`This payment is final and can’t be undone.`
      }
    >
      <div className={styles.price}>
        <Facts>
          <Fact name={t`Top-up`}>{formatAmount(topup.amount, topup.currency)}</Fact>
          <Fact name={t`Amount to pay`}>
            {cost
              ? cost.sats === undefined
                ? cost.coin
                : t`${cost.sats} (${cost.coin})`
              : t`The invoice amount`}
          </Fact>
          <Fact name={t`Fee`}>
            <Trans>Set by the wallet and reported after payment</Trans>
          </Fact>
        </Facts>
      </div>
      <DialogActions>
        <Button onClick={close} autoFocus>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="primary" onClick={agree}>
          {cost ? t`Pay ${cost.sats ?? cost.coin}` : t`Pay`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
