import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { Topup } from '../../../../shared/topup.ts'
import { useAnswer } from '../../../data/use-answer.ts'
import { inDesktop } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyTextButton } from '../../../ui/copy-button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { addressOf } from '../../../ui/route.ts'
import { useAction } from '../../../ui/use-action.ts'
import { walletQuestion } from '../connection/wallet-store.ts'
import styles from './pay-actions.module.css'
import { PayDialog } from './pay-dialog.tsx'
import { payInDemo, payTopup } from './topup-store.ts'

/** The ways to pay an invoice from this page. One of them is the primary button. */
export function PayActions({ topup, uri }: { topup: Topup; uri: string }) {
  const { data: wallet } = useAnswer(walletQuestion, { once: true })
  const overLightning = topup.method === 'btc-lightning'
  const kind = wallet?.connection?.kind
  const paysHere = overLightning && (topup.payable ? kind !== undefined : wallet !== undefined)
  const { lightningInvoice } = topup
  return (
    <div className={styles.ways}>
      {paysHere && (kind === 'nwc' ? <FromWallet topup={topup} /> : <FromDemoWallet topup={topup} />)}
      {lightningInvoice !== undefined && (
        <CopyTextButton
          label={t`Copy invoice`}
          kind={paysHere ? 'secondary' : 'primary'}
          text={() => lightningInvoice}
        />
      )}
      {/* The desktop app opens only web addresses outside itself. */}
      {topup.payable && !inDesktop && (
        <a className={styles.open} href={uri}>
          <ExternalLink size={15} strokeWidth={1.75} aria-hidden />
          <Trans>Open in wallet</Trans>
        </a>
      )}
      {topup.payable && overLightning && wallet && kind === undefined && (
        <p className={styles.note}>
          <Trans>
            <a href={addressOf({ view: 'wallet', part: 'connection' })}>Connect a Lightning wallet</a> to pay
            from Sotto.
          </Trans>
        </p>
      )}
    </div>
  )
}

/** Simulated money: one press connects the demo wallet, if it isn't connected, and pays. */
function FromDemoWallet({ topup }: { topup: Topup }) {
  const pay = useAction(() => payInDemo(topup.id))
  return (
    <>
      <Button kind="primary" onClick={() => void pay.run()} busy={pay.busy && t`Contacting wallet…`}>
        <Trans>Pay with demo wallet</Trans>
      </Button>
      {pay.failure && <FailureNote failure={pay.failure} />}
    </>
  )
}

function FromWallet({ topup }: { topup: Topup }) {
  const [asking, setAsking] = useState(false)
  const pay = useAction(() => payTopup(topup.id))
  return (
    <>
      <Button kind="primary" onClick={() => setAsking(true)} busy={pay.busy && t`Contacting wallet…`}>
        <Trans>Pay from wallet…</Trans>
      </Button>
      {asking && <PayDialog topup={topup} pay={() => void pay.run()} close={() => setAsking(false)} />}
      {pay.failure && <FailureNote failure={pay.failure} />}
    </>
  )
}
