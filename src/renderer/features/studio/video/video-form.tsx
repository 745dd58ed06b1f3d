import { t } from '@lingui/core/macro'
import type { Job } from '../../../../shared/job.ts'
import type { Model } from '../../../../shared/model.ts'
import { CheckField } from '../../../ui/check-field.tsx'
import { formatPrice } from '../../../ui/format/money.ts'
import askLine from '../../../ui/jobs/ask-line.module.css'
import { AskLine } from '../../../ui/jobs/ask-line.tsx'
import { FileField } from '../../../ui/jobs/file-field.tsx'
import { FormerImages } from '../../../ui/jobs/former-images.tsx'
import { GivenPreview } from '../../../ui/jobs/given-preview.tsx'
import type { GivenFileState } from '../../../ui/jobs/use-given-file.ts'
import { ModelField } from '../../../ui/model-field.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { ExtraField } from '../parts/extra-field.tsx'
import { listedChoices } from '../parts/listed-choices.ts'
import { ChoiceField } from './choice-field.tsx'
import { isDuration, videoAsk, videoMissing } from './video-ask.ts'
import { useVideoDraft } from './video-draft.ts'
import styles from './video.module.css'

/** The specification's ratios, used if the listing names none. */
const ASPECT_RATIOS = ['16:9', '9:16', '1:1']

interface VideoFormProps {
  models: readonly Model[] | undefined
  image: GivenFileState
  onStarted: (job: Job) => void
}

/**
 * The inputs of a video: a prompt, an image if the model accepts one, and the other parameters of the
 * specification.
 */
export function VideoForm({ models, image, onStarted }: VideoFormProps) {
  const draft = useVideoDraft()
  const model = models?.find(({ id }) => id === draft.model)
  const sizes = listedChoices(model, 'size')
  const { picked } = image
  const source = picked.state === 'taken' ? picked.source : undefined
  // A chosen image blocks the request until it is added or removed, so that the user doesn't pay for a video
  // without it.
  const without =
    picked.state === 'taking'
      ? t`Adding the image…`
      : picked.state === 'failed'
        ? t`Couldn’t add the image. Choose another, or continue without it.`
        : undefined
  return (
    <div className={styles.form}>
      <div className={styles.words}>
        <ModelField
          models={models}
          model={draft.model}
          nameOf={withPrice}
          unlisted={{
            label: t`Model ID`,
            hint: t`No video models are listed. If you know one, enter its ID.`,
          }}
          // Resets the options, because the new model may not offer the previous model's values.
          onChange={(next) =>
            useVideoDraft.setState({ model: next.trim(), duration: '', quality: '', aspectRatio: '' })
          }
        />
        <TextAreaField
          label={t`Prompt`}
          rows={5}
          value={draft.prompt}
          spellCheck
          className={styles.prompt}
          placeholder={t`A fox crossing a snowy field at dawn, wide shot`}
          onChange={({ target }) => useVideoDraft.setState({ prompt: target.value })}
        />
        <FileField
          label={t`Starting image`}
          fileInput={image}
          optional
          accept="image/jpeg,image/png,image/webp"
          hint={
            model?.inputModalities?.includes('image') === false
              ? t`The service doesn’t list image input for this model.`
              : t`Required for image-to-video models. JPEG, PNG, or WebP, up to 25 MB.`
          }
          preview={picked.state === 'taken' ? <GivenPreview picked={picked} /> : undefined}
          others={
            <FormerImages
              onChoose={(job, file) => image.use({ jobId: job.id, index: file.index }, file.name)}
            />
          }
        />
        {picked.state === 'taken' && 'uploadId' in picked.source && (
          <CheckField
            label={t`Include image metadata`}
            checked={draft.keepMetadata}
            onTick={(keepMetadata) => useVideoDraft.setState({ keepMetadata })}
            hint={t`If off, Sotto removes the location, time, and device before sending.`}
          />
        )}
      </div>
      <div className={styles.settings}>
        <ChoiceField
          label={t`Aspect ratio`}
          choices={sizes.length > 0 ? sizes : ASPECT_RATIOS}
          value={draft.aspectRatio}
          unset={t`Default (16:9)`}
          onChange={(aspectRatio) => useVideoDraft.setState({ aspectRatio })}
        />
        <ChoiceField
          label={t`Duration (seconds)`}
          choices={listedChoices(model, 'duration').filter((value) => value !== '' && isDuration(value))}
          value={draft.duration}
          unset={t`Model default`}
          fault={isDuration(draft.duration) ? undefined : t`Enter whole seconds, such as 5.`}
          onChange={(duration) => useVideoDraft.setState({ duration })}
        />
        <ChoiceField
          label={t`Quality`}
          choices={[...listedChoices(model, 'quality'), ...listedChoices(model, 'resolution')]}
          value={draft.quality}
          unset={t`Model default`}
          onChange={(quality) => useVideoDraft.setState({ quality })}
        />
        <ExtraField text={draft.extra} onChange={(extra) => useVideoDraft.setState({ extra })} />
        <div className={askLine.sticky}>
          <AskLine
            ask={without === undefined ? videoAsk(draft, source) : undefined}
            missing={without ?? videoMissing(draft)}
            single
            send={t`Generate video`}
            onStarted={(job) => {
              image.usedBy(job)
              onStarted(job)
            }}
          />
        </div>
      </div>
    </div>
  )
}

function withPrice({ name, mediaPrice }: Model): string {
  if (mediaPrice?.perSecond !== undefined) return t`${name}: ${formatPrice(mediaPrice.perSecond)} per second`
  return mediaPrice?.base === undefined ? name : t`${name}: from ${formatPrice(mediaPrice.base)}`
}
