import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import type { Job } from '../../../../shared/job.ts'
import type { Model } from '../../../../shared/model.ts'
import { classNames } from '../../../ui/class-names.ts'
import { AskLine } from '../../../ui/jobs/ask-line.tsx'
import { imageTasks, tasksOf, type ImageTask } from '../../../ui/jobs/image-models.ts'
import { type GivenFileState } from '../../../ui/jobs/use-given-file.ts'
import { Field } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { useStatus } from '../../../ui/status-store.ts'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { ImageChips, ImageExtras } from './image-controls.tsx'
import { chooseModel, readDraft, setDraft, setPrompt, useImageDraft } from './image-draft.ts'
import styles from './images.module.css'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { SourceImage } from './source-image.tsx'

const taskNames: Readonly<Record<ImageTask, string>> = {
  get generate() {
    return t`Text to image`
  },
  get edit() {
    return t`Edit image`
  },
  get upscale() {
    return t`Upscale`
  },
  get 'cut-out'() {
    return t`Remove background`
  },
}

const sends: Readonly<Record<ImageTask, string>> = {
  get generate() {
    return t`Generate`
  },
  get edit() {
    return t`Edit image`
  },
  get upscale() {
    return t`Upscale`
  },
  get 'cut-out'() {
    return t`Remove background`
  },
}

/** The form of an image request: its content, its model, its price and the button that sends it. */
export function ImageForm({
  models,
  listed,
  fileInput,
  onStarted,
}: {
  models: readonly Model[]
  /** Whether the listing has loaded. */ listed: boolean
  fileInput: GivenFileState
  onStarted: (job: Job) => void
}) {
  const draft = useImageDraft()
  const revision = useStatus(({ status }) => status?.service.revision ?? 'B')
  const { task, prompt } = draft
  const fitting = models.filter((each) => tasksOf(each).includes(task))
  const model = models.find(({ id }) => id === draft.model)
  const image = fileInput.picked.state === 'taken' ? fileInput.picked.source : undefined
  const { ask, missing, faults } = readDraft(
    draft,
    image,
    revision,
    fileInput.picked.state === 'taken' ? fileInput.picked.attached : undefined,
  )
  const form = useRef<HTMLDivElement>(null)
  // Choose the first model that fits, so that the price appears at once.
  const [first] = fitting
  const fits = model !== undefined && fitting.includes(model)
  useEffect(() => {
    if (!fits && first) chooseModel(first.id)
  }, [fits, first])
  const promptLabel = task === 'generate' ? t`Prompt` : t`Describe the change`
  const wantsWords = task === 'generate' || task === 'edit' || revision === 'A'
  return (
    <div ref={form} className={styles.form} role="form" aria-label={t`Create image`}>
      <RadioGroup
        label={t`Task`}
        name="image-task"
        segmented
        className={styles.tasks}
        options={imageTasks.map((id) => ({ id, name: taskNames[id] }))}
        chosen={task}
        onChoose={(chosen) => setDraft({ task: chosen })}
      />
      {task !== 'generate' && <SourceImage fileInput={fileInput} keepMetadata={draft.keepMetadata} />}
      {wantsWords && (
        <TextAreaField
          label={promptLabel}
          placeholder={promptLabel}
          className={classNames(styles.prose, styles.prompt)}
          rows={2}
          maxLength={100_000}
          value={prompt}
          onChange={(event) => setPrompt(event.target.value)}
          spellCheck
          autoCapitalize="sentences"
        />
      )}
      {fitting.length === 0 && (
        <Field
          label={t`Model`}
          value={draft.model}
          maxLength={200}
          onChange={(event) => setDraft({ model: event.target.value })}
          hint={
            listed ? (
              <Trans>No listed model can do this. If you know one, enter its ID.</Trans>
            ) : (
              <Trans>The model list is unavailable. Enter a model ID.</Trans>
            )
          }
        />
      )}
      <div className={styles.chips}>
        {fitting.length > 0 && (
          <SelectField
            label={t`Model`}
            value={fits ? draft.model : ''}
            onChange={(event) => chooseModel(event.target.value)}
          >
            {fitting.map(({ id, name }) => (
              <option key={id} value={id}>
                {name === id ? id : `${name} (${id})`}
              </option>
            ))}
          </SelectField>
        )}
        <ImageChips draft={draft} model={model} revision={revision} />
      </div>
      <ImageExtras draft={draft} faults={faults} model={model} revision={revision} />
      <AskLine ask={ask} missing={missing} single bar send={sends[task]} onStarted={onStarted} />
    </div>
  )
}
