import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Job } from '../../../../shared/job.ts'
import type { Model } from '../../../../shared/model.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { AskLine } from '../../../ui/jobs/ask-line.tsx'
import { FileField } from '../../../ui/jobs/file-field.tsx'
import { FormerImages } from '../../../ui/jobs/former-images.tsx'
import { GivenPreview } from '../../../ui/jobs/given-preview.tsx'
import type { GivenFileState } from '../../../ui/jobs/use-given-file.ts'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { ExtraField } from '../parts/extra-field.tsx'
import { listedChoices } from '../parts/listed-choices.ts'
import { ChoiceField } from './choice-field.tsx'
import { isDuration, videoAsk, videoMissing } from './video-ask.ts'
import { useVideoDraft } from './video-draft.ts'
import { VideoModelField } from './video-model-field.tsx'
import styles from './video.module.css'

/** Of the specification, where the listing names none. */
const ASPECT_RATIOS = ['16:9', '9:16', '1:1']

interface VideoFormProps {
  models: readonly Model[] | undefined
  image: GivenFileState
  onStarted: (job: Job) => void
}

/** What a clip is made from: words, an image where the model takes one, and what else the specification has. */
export function VideoForm({ models, image, onStarted }: VideoFormProps) {
  const draft = useVideoDraft()
  const model = models?.find(({ id }) => id === draft.model)
  const sizes = listedChoices(model, 'size')
  const { picked } = image
  const given = picked.state === 'taken' ? picked.given : undefined
  // An image that was chosen is waited for, or given up by its owner: the clip is not paid for without it.
  const without = picked.state === 'taking' ? t`The image is being taken in.` : picked.state === 'failed' ? t`The image was not taken in: choose another, or go on without it.` : undefined
  return (
    <div className={styles.form}>
      <div className={styles.words}>
        <VideoModelField models={models} />
        <TextAreaField label={t`What is to be seen`} rows={5} value={draft.prompt} spellCheck className={styles.prompt} placeholder={t`A fox crosses a snowy field at dawn, seen from far away`} onChange={({ target }) => useVideoDraft.setState({ prompt: target.value })} />
        <FileField
          label={t`Image that it begins with`} given={image} accept="image/jpeg,image/png,image/webp"
          hint={model?.inputModalities?.includes('image') === false ? t`By the listing this model takes no image.` : t`Needed by models that make a clip of an image. JPEG, PNG or WebP, of at most 25 MB.`}
          preview={picked.state === 'taken' ? <GivenPreview picked={picked} /> : undefined}
          others={<FormerImages onChoose={(job, file) => image.use({ jobId: job.id, index: file.index }, file.name)} />}
        />
        {picked.state === 'taken' && 'uploadId' in picked.given && (
          <CheckField label={t`Send what the camera wrote into the image`} checked={draft.keepMetadata} onTick={(keepMetadata) => useVideoDraft.setState({ keepMetadata })} hint={t`Otherwise the place, the time and the device are taken out before it leaves.`} />
        )}
      </div>
      <div className={styles.settings}>
        <ChoiceField label={t`Aspect ratio`} choices={sizes.length > 0 ? sizes : ASPECT_RATIOS} value={draft.aspectRatio} unset={t`16:9, as where none is said`} onChange={(aspectRatio) => useVideoDraft.setState({ aspectRatio })} />
        <ChoiceField label={t`Duration in seconds`} choices={listedChoices(model, 'duration').filter((value) => value !== '' && isDuration(value))} value={draft.duration} unset={t`As the model does it`} fault={isDuration(draft.duration) ? undefined : t`Whole seconds, such as 5.`} onChange={(duration) => useVideoDraft.setState({ duration })} />
        <ChoiceField label={t`Quality`} choices={[...listedChoices(model, 'quality'), ...listedChoices(model, 'resolution')]} value={draft.quality} unset={t`As the model does it`} onChange={(quality) => useVideoDraft.setState({ quality })} />
        <ExtraField text={draft.extra} onChange={(extra) => useVideoDraft.setState({ extra })} />
        <AskLine ask={without === undefined ? videoAsk(draft, given) : undefined} missing={without ?? videoMissing(draft)} single send={t`Have it made`} onStarted={(job) => {
          image.usedBy(job)
          onStarted(job)
        }} />
      </div>
    </div>
  )
}

export function ModelsFailed({ failure, again }: { failure: Parameters<typeof FailureNote>[0]['failure']; again: () => void }) {
  return <FailureNote failure={failure}><Button onClick={again}><Trans>Ask for the models again</Trans></Button></FailureNote>
}
