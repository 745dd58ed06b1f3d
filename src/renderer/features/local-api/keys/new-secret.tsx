import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { LocalKeyView } from '../../../../shared/local-key.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { useLocalApi } from '../local-api-store.ts'
import styles from './new-secret.module.css'

/** The secret of a new key, the one time that it is shown. It is not put away by accident. */
export function NewSecret({ localKey, done }: { localKey: LocalKeyView; done: () => void }) {
  const secret = useLocalApi((state) => state.secrets[localKey.id])
  const [leaving, setLeaving] = useState(false)
  return (
    <Dialog open onClose={() => setLeaving(true)} kept wide title={t`The secret of ${localKey.name}`} says={t`It is shown this once. Sotto keeps only its hash, and cannot show it again.`}>
      {secret !== undefined && <p className={styles.secret}><code data-testid="new-secret">{secret}</code><CopyButton label={t`Copy the secret`} word text={() => secret} /></p>}
      {leaving && <p className={styles.leaving} role="alert"><Trans>Once this is closed, nobody can read the secret here. If it is lost, revoke the key and make another.</Trans></p>}
      <DialogActions>
        {leaving && <Button onClick={done}><Trans>Close without saving it</Trans></Button>}
        <Button kind="primary" onClick={done} autoFocus><Trans>I have saved it</Trans></Button>
      </DialogActions>
    </Dialog>
  )
}
