import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ServiceEnclaveView } from '../../../../shared/chat-route.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts, HexFact } from '../../../ui/facts.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { useAction } from '../../../ui/use-action.ts'
import styles from './other-models.module.css'
import { approveImage } from './service-enclave-acts.ts'

/** If only the image is refused: a way to accept it, confirmed outside the window. By the rule `proven`, only files can. */
export function Approval({ view: { verdict, image, rule } }: { view: ServiceEnclaveView }) {
  const approving = useAction((pcr0: string) => approveImage(pcr0))
  const code = verdict?.failure?.code
  const isRefused =
    code === 'service-enclave/image-not-published' || code === 'service-enclave/image-not-approved'
  if (!isRefused || image === null || rule === 'proven') return null
  return (
    <div className={styles.approval} role="group" aria-label={t`Image that waits for approval`}>
      <p>
        <Trans>
          The enclave runs this image, which isn’t accepted. Approve it only if you know what it does: it can
          read your chats.
        </Trans>
        {rule === 'published' && (
          <>
            {' '}
            <Trans>From then on, only images that you approve are accepted.</Trans>
          </>
        )}
      </p>
      <Facts>
        <HexFact name={t`Running image (PCR0)`} copies={t`Copy running image (PCR0)`} hex={image} />
      </Facts>
      <Button onClick={() => void approving.run(image)} busy={approving.busy && t`Waiting…`}>
        <Trans>Approve this image</Trans>
      </Button>
      {approving.failure && <FailureNote failure={approving.failure} />}
    </div>
  )
}
