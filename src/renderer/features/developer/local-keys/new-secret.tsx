import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { LocalKeyView } from '../../../../shared/local-key.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { newSecrets } from '../local-api-store.ts'
import styles from './new-secret.module.css'

/** The secret of a new key, the one time that it is shown. It is not put away by accident. */
export function NewSecret({ localKey, done }: { localKey: LocalKeyView; done: () => void }) {
  const secret = useScopedState(newSecrets)[localKey.id]
  const [leaving, setLeaving] = useState(false)
  return (
    <Dialog
      open
      onClose={() => setLeaving(true)}
      persistent
      wide
      title={t`Secret for ${localKey.name}`}
      says={t`It’s shown only once. Sotto stores only its hash and can’t show it again.`}
    >
      {secret !== undefined && (
        <p className={styles.secret}>
          <code data-testid="new-secret">{secret}</code>
          <CopyButton label={t`Copy secret`} word text={() => secret} />
        </p>
      )}
      {leaving && (
        <p className={styles.leaving} role="alert">
          <Trans>
            After you close this, the secret can’t be shown again. If you lose it, revoke the key and create
            another.
          </Trans>
        </p>
      )}
      <DialogActions>
        {leaving && (
          <Button onClick={done}>
            <Trans>Close without saving</Trans>
          </Button>
        )}
        <Button kind="primary" onClick={done} autoFocus>
          <Trans>I’ve saved it</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}
