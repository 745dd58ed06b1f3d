import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Topup } from '../../../../shared/topup.ts'
import { useAnswer } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { serviceName } from '../../../ui/service/service-name.ts'
import { useStatus } from '../../../ui/status-store.ts'
import { accountsQuestion } from '../accounts/account-store.ts'
import styles from './pay-dialog.module.css'
import { coinWords, formatAmount } from './topup-words.ts'

/** Asks before real money is spent: the amount, the payee and the fee. The invoice then shows the outcome. */
export function PayDialog({ topup, pay, close }: { topup: Topup; pay: () => void; close: () => void }) {
  const accounts = useAnswer(accountsQuestion, { once: true }).data
  const service = useStatus((state) => state.status?.service)
  const account = accounts?.find(({ id }) => id === topup.accountId)?.name
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
      title={t`Pay with your connected wallet?`}
      says={t`This payment is final and can’t be undone.`}
    >
      <div className={styles.price}>
        <p className={styles.amount}>{formatAmount(topup.amount, topup.currency)}</p>
        {cost && (
          <p className={styles.coin}>
            {cost.sats === undefined ? cost.coin : t`${cost.sats} (${cost.coin})`}
          </p>
        )}
        <Facts>
          {service && <Fact name={t`Payee`}>{serviceName(service)}</Fact>}
          {account !== undefined && <Fact name={t`Top-up of`}>{account}</Fact>}
          {!cost && <Fact name={t`Amount to pay`}>{t`The invoice amount`}</Fact>}
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
