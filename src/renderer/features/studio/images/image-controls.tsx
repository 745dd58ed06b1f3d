import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Model } from '../../../../shared/model.ts'
import { CheckField } from '../../../ui/check-field.tsx'
import { ComboboxField } from '../../../ui/combobox-field.tsx'
import { Field } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { mostImages, setDraft, type DraftFaults, type ImageDraft } from './image-draft.ts'
import { choicesOf, takes } from '../../../ui/jobs/image-models.ts'
import styles from './images.module.css'

interface ControlsProps {
  draft: ImageDraft
  faults: DraftFaults
  model: Model | undefined
  revision: 'A' | 'B'
}

const formats = ['png', 'jpeg', 'webp'] as const
const EXAMPLE = '{"steps": 30}'

/** The specification's sizes, used if the listing names none. */
const usualSizes = ['1:1', '16:9', '9:16', '4:3', '3:4']

/** Whether the task uses the entire image, so that neither its size nor a prompt matters. */
function usesEntireImage({ task }: ImageDraft): boolean {
  return task === 'upscale' || task === 'cut-out'
}

/** The settings that the chosen model's listing and the revision permit, as chips. */
export function ImageChips({ draft, model, revision }: Omit<ControlsProps, 'faults'>) {
  const choices = choicesOf(model)
  const later = revision === 'B'
  const whole = usesEntireImage(draft)
  return (
    <>
      {!whole && takes(model, 'n') && (
        <SelectField
          label={t`Quantity`}
          value={String(Math.min(draft.count, mostImages[revision]))}
          onChange={(event) => setDraft({ count: Number(event.target.value) })}
        >
          {Array.from({ length: mostImages[revision] }, (_, index) => (
            <option key={index} value={index + 1}>
              {index + 1}
            </option>
          ))}
        </SelectField>
      )}
      {choices.quality.length > 0 && (
        <Choice
          label={t`Quality`}
          value={draft.quality}
          values={choices.quality}
          onChoose={(quality) => setDraft({ quality })}
        />
      )}
      {later && choices.resolution.length > 0 && (
        <Choice
          label={t`Resolution`}
          value={draft.resolution}
          values={choices.resolution}
          onChoose={(resolution) => setDraft({ resolution })}
        />
      )}
      {!whole &&
        takes(model, 'size') &&
        (choices.size.length > 0 ? (
          <Choice
            label={t`Size`}
            value={draft.size}
            values={choices.size}
            onChoose={(size) => setDraft({ size })}
          />
        ) : (
          <Typed
            label={t`Size`}
            value={draft.size}
            suggestions={usualSizes}
            onType={(size) => setDraft({ size })}
          />
        ))}
      {later && takes(model, 'output_format') && (
        <SelectField
          label={t`Format`}
          value={draft.outputFormat}
          onChange={({ target: { value } }) =>
            setDraft({ outputFormat: formats.find((each) => each === value) ?? '' })
          }
        >
          <option value="">{t`Default`}</option>
          {formats.map((each) => (
            <option key={each} value={each}>
              {each.toUpperCase()}
            </option>
          ))}
        </SelectField>
      )}
    </>
  )
}

/** Settings that few people need, folded. */
export function ImageExtras({ draft, faults, model, revision }: ControlsProps) {
  const choices = choicesOf(model)
  const later = revision === 'B'
  const faulty = faults.seed !== undefined || faults.extra !== undefined
  const fromImage = draft.task !== 'generate'
  const whole = usesEntireImage(draft)
  return (
    <details className={styles.more} open={faulty || undefined}>
      <summary>
        <Trans>Seed, negative prompt, and more</Trans>
      </summary>
      <div className={styles.moreBody}>
        {later && !whole && takes(model, 'negative_prompt') && (
          <TextAreaField
            label={t`Negative prompt`}
            className={styles.prose}
            rows={2}
            value={draft.negativePrompt}
            onChange={(event) => setDraft({ negativePrompt: event.target.value })}
            hint={<Trans>Not all models support this.</Trans>}
            spellCheck
          />
        )}
        <div className={styles.controls}>
          <Field
            label={t`Seed`}
            value={draft.seed}
            inputMode="numeric"
            maxLength={20}
            fault={faults.seed}
            onChange={(event) => setDraft({ seed: event.target.value })}
            hint={<Trans>With the same seed and prompt, some models generate the same image again.</Trans>}
          />
          {choices.quality.length === 0 && takes(model, 'quality') && (
            <Field
              label={t`Quality`}
              value={draft.quality}
              maxLength={40}
              onChange={(event) => setDraft({ quality: event.target.value })}
              hint={<Trans>No options are listed for this model.</Trans>}
            />
          )}
          {later && choices.resolution.length === 0 && takes(model, 'resolution') && (
            <Field
              label={t`Resolution`}
              value={draft.resolution}
              maxLength={40}
              onChange={(event) => setDraft({ resolution: event.target.value })}
              hint={<Trans>No options are listed for this model.</Trans>}
            />
          )}
        </div>
        <TextAreaField
          label={t`Additional parameters (JSON)`}
          dir="ltr"
          rows={3}
          value={draft.extra}
          fault={faults.extra}
          onChange={(event) => setDraft({ extra: event.target.value })}
          placeholder={EXAMPLE}
          hint={
            <Trans>
              Parameters from the model’s documentation that have no field here. They’re sent unchanged.
            </Trans>
          }
        />
        {later && fromImage && (
          <CheckField
            label={t`Upload with the edits form`}
            hint={
              <Trans>
                Uploads the image as a file, as OpenAI clients do, instead of embedding it in the request. The
                price is the same.
              </Trans>
            }
            checked={draft.form}
            onTick={(form) => setDraft({ form })}
          />
        )}
      </div>
    </details>
  )
}

function Choice({
  label,
  value,
  values,
  onChoose,
}: {
  label: string
  value: string
  values: readonly string[]
  onChoose: (value: string) => void
}) {
  return (
    <SelectField
      label={label}
      value={values.includes(value) ? value : ''}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{t`Default`}</option>
      {values.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </SelectField>
  )
}

function Typed({
  label,
  value,
  suggestions,
  onType,
}: {
  label: string
  value: string
  suggestions: readonly string[]
  onType: (value: string) => void
}) {
  return (
    <ComboboxField
      label={label}
      value={value}
      options={suggestions}
      maxLength={40}
      placeholder={t`Default`}
      onChange={onType}
    />
  )
}
