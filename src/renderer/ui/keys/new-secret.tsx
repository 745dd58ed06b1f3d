import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { Dialog, DialogActions } from '../dialog.tsx'
import styles from './new-secret.module.css'

interface NewSecretProps {
  /** The key's name. */
  name: string
  /** Undefined after it was discarded. */
  secret: string | undefined
  done: () => void
}

/** The secret of a new key, the only time that it is shown. Closing it asks once more. */
export function NewSecret({ name, secret, done }: NewSecretProps) {
  const [leaving, setLeaving] = useState(false)
  return (
    <Dialog
      open
      onClose={() => setLeaving(true)}
      persistent
      wide
      title={t`Secret for ${name}`}
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
