import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { WalletConnection } from '../../../../shared/wallet.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Fact, Facts, HexFact } from '../../../ui/facts.tsx'
import { formatList } from '../../../ui/format/list.ts'
import { Moment } from '../../../ui/moment.tsx'
import styles from './connection.module.css'
import { Funds } from './funds.tsx'
import { disconnectWallet } from './wallet-store.ts'

/** Labels for the NIP-47 methods that Sotto uses. */
const methodWords: Readonly<Record<string, string>> = {
  get pay_invoice() {
    return t`pay invoices`
  },
  get lookup_invoice() {
    return t`look up payments`
  },
  get get_balance() {
    return t`read its balance`
  },
  get get_budget() {
    return t`read this connection’s budget`
  },
}

/** Labels for methods that wallets often allow, and Sotto doesn't use. */
const otherMethodWords: Readonly<Record<string, string>> = {
  get get_info() {
    return t`read its details`
  },
  get make_invoice() {
    return t`create invoices`
  },
  get list_transactions() {
    return t`list payments`
  },
  get multi_pay_invoice() {
    return t`pay several invoices at once`
  },
  get pay_keysend() {
    return t`pay without an invoice`
  },
  get sign_message() {
    return t`sign messages`
  },
}

export function ConnectedWallet({ connection }: { connection: WalletConnection }) {
  const { kind, publicKey, relays, alias, methods, canLookUp, connectedAt } = connection
  const can = methods.flatMap((method) => methodWords[method] ?? [])
  const others = methods
    .filter((method) => methodWords[method] === undefined)
    .map((method) => otherMethodWords[method] ?? method)
  return (
    <div className={styles.part}>
      <Facts>
        <Fact name={t`Wallet`}>
          {kind === 'sandbox' ? (
            t`Demo wallet (no real money)`
          ) : alias === undefined ? (
            t`Name not reported`
          ) : (
            <Trans>“{alias}” (self-reported name)</Trans>
          )}
        </Fact>
        <Fact name={t`Balance`}>
          <Funds connection={connection} />
        </Fact>
        <Fact name={t`Reported permissions`}>
          {can.length > 0 ? formatList(can) : t`none that Sotto needs`}
          {others.length > 0 && (
            <span className={styles.quiet}>
              ; <Trans>also {formatList(others)}</Trans>
            </span>
          )}
        </Fact>
        <Fact name={relays.length === 1 ? t`Relay` : t`Relays`}>
          {relays.map((relay, index) => (
            <span key={relay}>
              {index > 0 && ', '}
              <code>{relay}</code>
            </span>
          ))}
        </Fact>
        <HexFact name={t`Public key`} copies={t`Copy public key`} hex={publicKey} />
        <Fact name={t`Connected`}>
          <Moment at={connectedAt} />
        </Fact>
      </Facts>
      {!canLookUp && (
        <p className={styles.note} role="note">
          <span>
            <Trans>
              <strong>Manual payments only.</strong> This wallet can’t report the outcome of a payment, so
              Sotto never pays automatically. You’re asked before each payment, regardless of the limits
              below. To change this, use a connection that is allowed to look up payments.
            </Trans>
          </span>
        </p>
      )}
      <div className={styles.actions}>
        <Disconnect sandbox={kind === 'sandbox'} />
      </div>
    </div>
  )
}

function Disconnect({ sandbox }: { sandbox: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Disconnect…</Trans>
      </Button>
      {open && (
        <ConfirmDialog
          title={t`Disconnect wallet?`}
          description={
            sandbox
              ? t`Sotto deletes the connection. You can connect again at any time.`
              : t`Sotto deletes the connection, but your wallet doesn’t. Disconnecting doesn’t revoke access. Remove the connection in your wallet too, so that no copy of it can be used to spend.`
          }
          kind="primary"
          button={t`Disconnect`}
          busy={t`Disconnecting…`}
          act={disconnectWallet}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
