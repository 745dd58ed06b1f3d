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
      {retry && <p className={styles.line}>Sent with the proof of payment {attempts === 1 ? 'once' : `${attempts} times`} so far. To retry pays nothing.</p>}
      {again.failure && <FailureNote failure={again.failure} />}
      {giveUp.failure && <FailureNote failure={giveUp.failure} />}
      {save.failure && <FailureNote failure={save.failure} />}
      <div className={styles.actions}>
        {retry && <Button kind="primary" onClick={() => void again.run()} busy={again.busy && 'Asking again…'} disabled={giveUp.busy}>Retry delivery</Button>}
        <Button onClick={() => void save.run()} busy={save.busy && 'Waiting for your yes…'}>Export proof…</Button>
        {retry && <Button onClick={() => void giveUp.run()} busy={giveUp.busy && 'Waiting for your yes…'} disabled={again.busy}>Give it up…</Button>}
      </div>
      <p className={styles.hint}>The proof holds the invoice, its hash, the preimage and the times: it is worth what was paid, until the service has delivered. You confirm it outside this window.{retry && ' What is given up is not asked for again; its proof stays.'}</p>
    </div>
  )
}
