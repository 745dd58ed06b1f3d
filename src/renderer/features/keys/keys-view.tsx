import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { ServiceKey } from '../../../shared/service-key.ts'
import { keysQuestion } from '../../data/listings.ts'
import { ServiceScope, useScope } from '../../data/service-scope.tsx'
import { setScopedState, useAnswer, useScopedState } from '../../data/use-answer.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { addressOf, go, replaceRoute, useRoute } from '../../ui/route.ts'
import { View } from '../../ui/view.tsx'
import { useStatus } from '../../ui/status-store.ts'
import { CreateKeyDialog, EditKeyDialog, RevokeDialog, RotateDialog } from './key-dialogs.tsx'
import { KeyRow, type KeyAct } from './key-row.tsx'
import styles from './keys-view.module.css'
import { madeKey, revokedShown } from './keys-store.ts'
import { MadeKeyDialog } from './made-key.tsx'
import { NoKeys } from './no-keys.tsx'
import { RevealKeyDialog } from './reveal-dialog.tsx'

/** The service's own API keys: for programs that ask the service without Sotto in between. */
export function KeysView() {
  const account = useStatus((state) => state.status?.account)
  return (
    <View
      title={t`Keys`}
      description={
        <Trans>
          API keys for programs that call the service directly. Anyone with a key can spend from the account.
          For programs on this computer, create a local key in{' '}
          <a className={styles.link} href={addressOf({ room: 'local-api' })}>
            Local API
          </a>{' '}
          so their requests to private models are sealed.
        </Trans>
      }
    >
      {account?.connected === true && account.creditIdMasked !== undefined ? (
        <ServiceScope>
          <Keys />
        </ServiceScope>
      ) : (
        account && <NoKeys connected={account.connected} />
      )}
    </View>
  )
}

export function Keys() {
  const scope = useScope()
  const { part } = useRoute()
  const withRevoked = useScopedState(revokedShown)
  const made = useScopedState(madeKey)
  const { data, failure, busy, refresh } = useAnswer(keysQuestion(withRevoked), { keepPrevious: true })
  const { keys, unreadable = 0 } = data ?? {}
  const [dialog, setDialog] = useState<{ readonly act: KeyAct; readonly key: ServiceKey }>()
  const creates = part === 'new'
  const close = () => {
    setDialog(undefined)
    if (creates) replaceRoute({ room: 'keys' })
  }
  useEffect(() => {
    if (part !== 'revoked') return
    setScopedState(scope, revokedShown, () => true)
    // A place to come in by, and none to come back to.
    replaceRoute({ room: 'keys' })
  }, [part, scope])
  const total = (keys ?? []).reduce((sum, { spentInAll = '0' }) => sum + BigInt(spentInAll), 0n)
  return (
    <>
      <div className={styles.head}>
        <Button kind="primary" onClick={() => go({ room: 'keys', part: 'new' })} disabled={!keys}>
          <Trans>Create key…</Trans>
        </Button>
        <CheckField
          label={t`Show revoked`}
          checked={withRevoked}
          onTick={(on) => setScopedState(scope, revokedShown, () => on)}
        />
        {keys && (
          <Button kind="link" onClick={refresh} busy={busy && t`Loading…`}>
            <Trans>Refresh</Trans>
          </Button>
        )}
      </div>
      {failure && (
        <FailureNote failure={failure} className={styles.note}>
          <Button onClick={refresh}>
            <Trans>Try again</Trans>
          </Button>
        </FailureNote>
      )}
      {!keys && busy && (
        <p className={styles.quiet} role="status">
          <Trans>Loading keys…</Trans>
        </p>
      )}
      {keys?.length === 0 && (
        <p className={styles.quiet}>
          <Trans>The service lists no keys for this account.</Trans>
        </p>
      )}
      {keys && keys.length > 0 && (
        <ul className={styles.list}>
          {keys.map((key) => (
            <li key={key.id}>
              <KeyRow serviceKey={key} total={total} onAct={(act) => setDialog({ act, key })} />
            </li>
          ))}
        </ul>
      )}
      {unreadable > 0 && (
        <p className={styles.quiet}>
          <Plural
            value={unreadable}
            one="# more key isn’t shown because Sotto doesn’t recognize its format."
            other="# more keys aren’t shown because Sotto doesn’t recognize their format."
          />
        </p>
      )}
      {creates && keys && !made && <CreateKeyDialog keys={keys} close={close} />}
      {dialog?.act === 'reveal' && <RevealKeyDialog serviceKey={dialog.key} close={close} />}
      {dialog?.act === 'edit' && <EditKeyDialog keys={keys ?? []} serviceKey={dialog.key} close={close} />}
      {dialog?.act === 'revoke' && <RevokeDialog serviceKey={dialog.key} close={close} />}
      {dialog?.act === 'rotate' && !made && <RotateDialog serviceKey={dialog.key} close={close} />}
      {made && <MadeKeyDialog made={made} done={close} />}
    </>
  )
}
