import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { CheckField } from '../../../ui/check-field.tsx'
import { FileField } from '../../../ui/jobs/file-field.tsx'
import { FormerImages } from '../../../ui/jobs/former-images.tsx'
import { GivenPreview } from '../../../ui/jobs/given-preview.tsx'
import type { GivenFileState } from '../../../ui/jobs/use-given-file.ts'
import { setDraft } from './image-draft.ts'
import styles from './images.module.css'

/** The source image, and whether its camera metadata is sent too. */
export function SourceImage({
  fileInput,
  keepMetadata,
}: {
  fileInput: GivenFileState
  keepMetadata: boolean
}) {
  const { picked } = fileInput
  return (
    <div className={styles.source}>
      <FileField
        label={t`Image`}
        accept="image/jpeg,image/png,image/webp"
        fileInput={fileInput}
        others={
          <FormerImages
            onChoose={(job, file) => fileInput.use({ jobId: job.id, index: file.index }, file.name)}
          />
        }
        preview={picked.state === 'taken' ? <GivenPreview picked={picked} /> : undefined}
        hint={<Trans>JPEG, PNG, or WebP, up to 25 MB. It stays on this computer until you send it.</Trans>}
      />
      {picked.state === 'taken' && picked.file && !picked.attached && (
        <CheckField
          label={t`Include camera metadata`}
          hint={
            keepMetadata ? (
              <Trans>Location, time, and camera details are sent if the image contains them.</Trans>
            ) : (
              <Trans>Location, time, and camera details are removed before the image is sent.</Trans>
            )
          }
          checked={keepMetadata}
          onTick={(keep) => setDraft({ keepMetadata: keep })}
        />
      )}
    </div>
  )
}
