import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '../../ui/button.tsx'
import { loadModels } from './chat-store.ts'
import styles from './composer-note.module.css'
import { showPicker } from './picker-store.ts'

interface UnlistedModelNoteProps {
  id: string
  /** Describes the message field. */
  modelId: string
  /** The chat is from another program, whose names of models the service may never have had. */
  imported: boolean
}

/** Shown when a chat opens, because the service refuses a model that it doesn't list only after a message was sent. */
export function UnlistedModelNote({ id, modelId, imported }: UnlistedModelNoteProps) {
  return (
    <div className={styles.note} id={id} role="status" data-testid="unlisted-model-note">
      <p>
        {imported
          ? t`This imported chat used ${modelId}, which the service doesn’t list. Choose a model to continue.`
          : t`${modelId} is no longer available. Choose another model to continue.`}
      </p>
      {/* The picker closes when a pointer goes down outside it, so it opens after this press. */}
      <Button onClick={() => setTimeout(showPicker)}>
        <Trans>Choose model</Trans>
      </Button>
      <Button onClick={() => void loadModels()}>
        <Trans>Refresh models</Trans>
      </Button>
    </div>
  )
}
