import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Topup } from '../../../../shared/topup.ts'
import { useAnswer } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { formatDateTime } from '../../../ui/format/time.ts'
import { serviceName } from '../../../ui/service/service-name.ts'
import { useStatus } from '../../../ui/status-store.ts'
import { accountsQuestion } from '../accounts/account-store.ts'
import { coinWords, formatAmount, methodWords, paidWords, receivedWords } from './topup-words.ts'

/** A settled top-up for printing, or for saving as a PDF by the print dialog. While it's open, it's all that is printed. */
export function TopupReceipt({ topup, onClose }: { topup: Topup; onClose: () => void }) {
  const service = useStatus((state) => state.status?.service)
  const accounts = useAnswer(accountsQuestion, { once: true }).data
  const account = accounts?.find(({ id }) => id === topup.accountId)?.name
  const cost = coinWords(topup)
  const received = topup.received?.covers === 'more' ? receivedWords(topup) : undefined
  return (
    <Dialog
      open
      onClose={onClose}
      printed
      title={t`Top-up receipt`}
      says={topup.payable ? undefined : t`Demo mode: no real money`}
    >
      <Facts>
        {service !== undefined && <Fact name={t`Service`}>{serviceName(service)}</Fact>}
        {account !== undefined && <Fact name={t`Account`}>{account}</Fact>}
        <Fact name={t`Top-up`}>{formatAmount(topup.amount, topup.currency)}</Fact>
        <Fact name={t`Payment method`}>{methodWords[topup.method].name}</Fact>
        {cost && <Fact name={t`Amount paid`}>{paidWords(cost, topup)}</Fact>}
        {received !== undefined && <Fact name={t`Received`}>{received}</Fact>}
        <Fact name={t`Created`}>{formatDateTime(topup.createdAt)}</Fact>
        {topup.settledAt !== undefined && (
          <Fact name={t`Payment confirmed`}>{formatDateTime(topup.settledAt)}</Fact>
        )}
        <Fact name={t`Top-up ID`}>
          <code>{topup.invoiceId}</code>
        </Fact>
      </Facts>
      <DialogActions>
        <Button kind="primary" onClick={() => window.print()}>
          <Trans>Print receipt…</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}
