import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Topup } from '../../../../shared/topup.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import styles from './topups.module.css'
import { coinWords, formatAmount } from './topup-words.ts'

/** The price, before it is spent; what comes of it is told where the invoice stands. */
export function PayDialog({ topup, pretended, pay, close }: { topup: Topup; pretended: boolean; pay: () => void; close: () => void }) {
  const cost = coinWords(topup)
  const agree = () => {
    close()
    pay()
  }
  return (
    <Dialog open onClose={close} alert title={pretended ? t`Pay from the pretended wallet?` : t`Pay from the connected wallet?`} says={pretended ? t`The sandbox’s wallet holds no real money; everything else is as with a real one.` : t`A payment is final: nobody can take it back.`}>
      <div className={styles.price}>
        <Facts>
          <Fact name={t`Topup`}>{formatAmount(topup.amount, topup.currency)}</Fact>
          <Fact name={t`The wallet pays`}>{cost ? cost.sats === undefined ? cost.coin : t`${cost.sats}, which is ${cost.coin}` : t`What the invoice asks for`}</Fact>
          <Fact name={t`Fee`}><Trans>The wallet adds its own, and says how much once it has paid</Trans></Fact>
        </Facts>
      </div>
      <DialogActions>
        <Button onClick={close} autoFocus><Trans>Do not pay</Trans></Button>
        <Button kind="primary" onClick={agree}>{cost ? t`Pay ${cost.sats ?? cost.coin}` : t`Pay`}</Button>
      </DialogActions>
    </Dialog>
  )
}
