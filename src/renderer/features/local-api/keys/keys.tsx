import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { LocalKeyView } from '../../../../shared/local-key.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import listing from '../../../ui/listing.module.css'
import { localKeys, localWatch } from '../local-api-store.ts'
import { IncreaseDialog } from './increase-dialog.tsx'
import { CreateKeyDialog, EditKeyDialog, RevokeDialog, RotateDialog } from './key-dialogs.tsx'
import { emptyDraft } from './key-draft.ts'
import { KeyRow, type KeyAct } from './key-row.tsx'
import styles from './keys.module.css'

/** A key for each tool: what it may do, what it spent, and when that starts anew. */
export function Keys() {
  const keys = useScopedState(localKeys)
  const { failure } = useScopedState(localWatch)
  const [dialog, setDialog] = useState<{
    readonly act: KeyAct | 'create'
    readonly key?: LocalKeyView
  }>()
  const close = () => setDialog(undefined)
  const live = keys?.filter(({ state }) => state !== 'revoked') ?? []
  const revoked = keys?.filter(({ state }) => state === 'revoked') ?? []
  const row = (key: LocalKeyView) => (
    <li key={key.id}>
      <KeyRow localKey={key} onAct={(act) => setDialog({ act, key })} />
    </li>
  )
  return (
    <section aria-label={t`Keys`}>
      <div className={listing.head}>
        <p className={listing.says}>
          <Trans>
            Give each tool its own key, with its own budget, limits, and entries in the request list.
          </Trans>
        </p>
        <Button kind="primary" onClick={() => setDialog({ act: 'create' })}>
          <Trans>Create key…</Trans>
        </Button>
      </div>
      {failure && <FailureNote failure={failure} className={listing.note} />}
      {!keys && !failure && (
        <p className={listing.quiet} role="status">
          <Trans>Loading keys…</Trans>
        </p>
      )}
      {live.length > 0 && <ul className={listing.list}>{live.map(row)}</ul>}
      {keys && live.length <= 1 && (
        <p className={listing.quiet}>
          <Trans>
            Only the first key exists so far; Sotto created it automatically. The Tools tab creates one for
            each tool and fills in its settings.
          </Trans>
        </p>
      )}
      {revoked.length > 0 && (
        <details className={styles.revoked}>
          <summary>
            <Plural value={revoked.length} one="# revoked key" other="# revoked keys" />
          </summary>
          <ul className={listing.list}>{revoked.toReversed().map(row)}</ul>
        </details>
      )}
      {dialog?.act === 'create' && <CreateKeyDialog draft={emptyDraft} close={close} />}
      {dialog?.act === 'edit' && dialog.key && <EditKeyDialog localKey={dialog.key} close={close} />}
      {dialog?.act === 'increase' && dialog.key && <IncreaseDialog localKey={dialog.key} close={close} />}
      {dialog?.act === 'revoke' && dialog.key && <RevokeDialog localKey={dialog.key} close={close} />}
      {dialog?.act === 'rotate' && <RotateDialog close={close} />}
    </section>
  )
}
