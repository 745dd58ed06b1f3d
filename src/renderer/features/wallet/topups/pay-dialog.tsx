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
    <Dialog open onClose={close} alert title={pretended ? 'Pay from the pretended wallet?' : 'Pay from the connected wallet?'} says={pretended ? 'The sandbox’s wallet holds no real money; everything else is as with a real one.' : 'A payment is final: nobody can take it back.'}>
      <div className={styles.price}>
        <Facts>
          <Fact name="Topup">{formatAmount(topup.amount, topup.currency)}</Fact>
          <Fact name="The wallet pays">{cost ? `${cost.sats ?? cost.coin}${cost.sats === undefined ? '' : `, which is ${cost.coin}`}` : 'What the invoice asks for'}</Fact>
          <Fact name="Fee">The wallet adds its own, and says how much once it has paid</Fact>
        </Facts>
      </div>
      <DialogActions>
        <Button onClick={close} autoFocus>Do not pay</Button>
        <Button kind="primary" onClick={agree}>{cost ? `Pay ${cost.sats ?? cost.coin}` : 'Pay'}</Button>
      </DialogActions>
    </Dialog>
  )
}
