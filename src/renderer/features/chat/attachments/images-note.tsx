import { Trans } from '@lingui/react/macro'
import type { Model } from '../../../../shared/model.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './attachments.module.css'

/**
 * Warns that the chosen model doesn't accept images, and offers models that do. If the listing doesn't report its input
 * types, the note states that, and the person can try.
 */
export function ImagesNote({
  name,
  sure,
  offers,
  onPick,
}: {
  name: string
  sure: boolean
  offers: readonly Model[]
  onPick: (id: string) => void
}) {
  if (!sure)
    return (
      <div className={styles.images} role="status">
        <p>
          <Trans>The service doesn’t report whether {name} accepts images. It may refuse them.</Trans>
        </p>
      </div>
    )
  return (
    <div className={styles.images} role="status" data-testid="images-note">
      <p>
        {offers.length > 0 ? (
          <Trans>{name} doesn’t accept images. Choose a model that does, or remove the images:</Trans>
        ) : (
          <Trans>
            {name} doesn’t accept images. Neither does any other model allowed to read this chat. Remove the
            images or start a new chat.
          </Trans>
        )}
      </p>
      {offers.map(({ id, name: offered }) => (
        <Button key={id} onClick={() => onPick(id)}>
          <Trans>Use {offered}</Trans>
        </Button>
      ))}
    </div>
  )
}
