import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { Purchase } from '../../../../shared/purchase.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { saveText } from '../../../ui/save-file.ts'
import { useAction } from '../../../ui/use-action.ts'
import { giveUpPurchase, proofOf, retryDelivery } from './purchase-store.ts'
import styles from './purchases.module.css'

/** Paid and not delivered: it is asked for again with the same proof, or given up; and the proof can be taken along. */
export function Undelivered({ purchase: { id, attempts }, retry }: { purchase: Purchase; retry: boolean }) {
  const again = useAction(() => retryDelivery(id))
  const giveUp = useAction(() => giveUpPurchase(id))
  const save = useAction(async () => {
    const { fileName, text } = await proofOf(id)
    saveText(fileName, 'text/plain', text)
  })
  return (
    <div className={styles.fields}>
      {retry && <p className={styles.line}><Plural value={attempts} one="Sent with the proof of payment once so far. To retry pays nothing." other="Sent with the proof of payment # times so far. To retry pays nothing." /></p>}
      {again.failure && <FailureNote failure={again.failure} />}
      {giveUp.failure && <FailureNote failure={giveUp.failure} />}
      {save.failure && <FailureNote failure={save.failure} />}
      <div className={styles.actions}>
        {retry && <Button kind="primary" onClick={() => void again.run()} busy={again.busy && t`Asking again…`} disabled={giveUp.busy}><Trans>Retry delivery</Trans></Button>}
        <Button onClick={() => void save.run()} busy={save.busy && t`Waiting for your yes…`}><Trans>Export proof…</Trans></Button>
        {retry && <Button onClick={() => void giveUp.run()} busy={giveUp.busy && t`Waiting for your yes…`} disabled={again.busy}><Trans>Give it up…</Trans></Button>}
      </div>
      <p className={styles.hint}><Trans>The proof holds the invoice, its hash, the preimage and the times: it is worth what was paid, until the service has delivered. You confirm it outside this window.</Trans>{retry && <> <Trans>What is given up is not asked for again; its proof stays.</Trans></>}</p>
    </div>
  )
}
