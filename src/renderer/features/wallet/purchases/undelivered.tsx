import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { Purchase } from '../../../../shared/purchase.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { saveText } from '../../../ui/save-file.ts'
import { useAction } from '../../../ui/use-action.ts'
import { abandonPurchase, proofOf, retryDelivery } from './purchase-store.ts'
import styles from './purchases.module.css'

/**
 * A purchase that is paid but not delivered. The user can retry with the same proof, abandon the purchase, or
 * export the proof.
 */
export function Undelivered({ purchase: { id, attempts }, retry }: { purchase: Purchase; retry: boolean }) {
  const again = useAction(() => retryDelivery(id))
  const abandon = useAction(() => abandonPurchase(id))
  const save = useAction(async () => {
    const { fileName, text } = await proofOf(id)
    saveText(fileName, 'text/plain', text)
  })
  return (
    <div className={styles.fields}>
      {retry && (
        <p className={styles.line}>
          <Plural
            value={attempts}
            one="Sent once with the proof of payment. Retrying costs nothing."
            other="Sent # times with the proof of payment. Retrying costs nothing."
          />
        </p>
      )}
      {again.failure && <FailureNote failure={again.failure} />}
      {abandon.failure && <FailureNote failure={abandon.failure} />}
      {save.failure && <FailureNote failure={save.failure} />}
      <div className={styles.actions}>
        {retry && (
          <Button onClick={() => void again.run()} busy={again.busy && t`Retrying…`} disabled={abandon.busy}>
            <Trans>Retry delivery</Trans>
          </Button>
        )}
        <Button onClick={() => void save.run()} busy={save.busy && t`Waiting for confirmation…`}>
          <Trans>Export proof…</Trans>
        </Button>
        {retry && (
          <Button
            onClick={() => void abandon.run()}
            busy={abandon.busy && t`Waiting for confirmation…`}
            disabled={again.busy}
          >
            <Trans>Stop retrying…</Trans>
          </Button>
        )}
      </div>
      <p className={styles.hint}>
        <Trans>
          The proof contains the invoice, its hash, the preimage, and the times. Until the service delivers,
          anyone who has it can claim what you paid for. You’ll confirm in a system dialog or your terminal.
        </Trans>
        {retry && (
          <>
            {' '}
            <Trans>
              If you stop retrying, Sotto won’t request the delivery again. The proof stays saved.
            </Trans>
          </>
        )}
      </p>
    </div>
  )
}
