import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Section } from '../../ui/view.tsx'
import { useAction } from '../../ui/use-action.ts'
import styles from './choices.module.css'

/** The secrets that keep this person's cached prompts apart from those of the service's other customers. */
export function PromptCache() {
  const [renewed, setRenewed] = useState(false)
  const renewing = useAction(async () => {
    setRenewed(false)
    await api.privacy.renewCacheSecret()
    setRenewed(true)
  })
  return (
    <Section
      title={t`Prompt cache`}
      description={t`Private requests contain a secret inside the encryption, so that other customers can’t find out which prompts you’ve sent. Each local key has its own secret, and so does the window. Sotto replaces them monthly.`}
    >
      <Button onClick={() => void renewing.run()} busy={renewing.busy && t`Replacing…`}>
        <Trans>Replace secrets</Trans>
      </Button>
      <p className={styles.note} role="status">
        {renewed && t`Secrets replaced`}
      </p>
      {renewing.failure && <FailureNote failure={renewing.failure} />}
    </Section>
  )
}
