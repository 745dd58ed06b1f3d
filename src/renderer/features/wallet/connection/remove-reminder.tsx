import { Button } from '../../../ui/button.tsx'
import styles from './connection.module.css'
import { removed, useWallet, type StillKnown } from './wallet-store.ts'

const words: Readonly<Record<StillKnown, { readonly what: string; readonly why: string }>> = {
  wallet: { what: 'Sotto has forgotten the connection.', why: 'Your wallet still accepts it: remove it there as well.' },
  'automatic-topup': { what: 'The service was told to forget the connection.', why: 'Whether it did cannot be seen from here, and your wallet still accepts it: remove it there now.' },
}

/** To disconnect does not revoke. Stays until it is said to be done. */
export function RemoveReminder({ what }: { what: StillKnown }) {
  const due = useWallet((state) => state.toRemove.includes(what))
  if (!due) return null
  return (
    <div className={styles.note} role="status">
      <p><strong>{words[what].what}</strong> {words[what].why}</p>
      <div className={styles.actions}><Button onClick={() => removed(what)}>I have removed it in the wallet</Button></div>
    </div>
  )
}
