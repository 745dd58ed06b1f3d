import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Purchase } from '../../../../shared/purchase.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { PreimageForm } from '../../../ui/payment/preimage-form.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { abandonPurchase, provePurchase } from './purchase-store.ts'
import styles from './purchases.module.css'

/** A payment without a known outcome. A preimage settles it at any time; a person can end the wait, because a wallet may never report. */
export function Unresolved({ purchase: { id, state } }: { purchase: Purchase }) {
  const close = useAction(() => abandonPurchase(id))
  return (
    <div className={styles.fields}>
      <details className={styles.more}>
        <summary>
          <Trans>Enter the preimage from your wallet</Trans>
        </summary>
        <PreimageForm prove={(preimage) => provePurchase(id, preimage)} />
      </details>
      {state !== 'closed' && (
        <>
          {close.failure && <FailureNote failure={close.failure} />}
          <div className={styles.actions}>
            <Button onClick={() => void close.run()} busy={close.busy && t`Waiting for confirmation…`}>
              <Trans>Close payment…</Trans>
            </Button>
          </div>
          <p className={styles.hint}>
            <Trans>
              Closing doesn’t cancel the payment: the wallet may still make it. The amount no longer counts
              toward your limits.
            </Trans>
          </p>
        </>
      )}
    </div>
  )
}

/** A paid job that the service is working on. A person can stop waiting: only a failure that the service reports ends it otherwise. */
export function Making({ purchase: { id } }: { purchase: Purchase }) {
  const stop = useAction(() => abandonPurchase(id))
  return (
    <div className={styles.fields}>
      {stop.failure && <FailureNote failure={stop.failure} />}
      <div className={styles.actions}>
        <Button onClick={() => void stop.run()} busy={stop.busy && t`Waiting for confirmation…`}>
          <Trans>Stop waiting…</Trans>
        </Button>
      </div>
    </div>
  )
}
