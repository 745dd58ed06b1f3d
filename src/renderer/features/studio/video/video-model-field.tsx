import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Model } from '../../../../shared/model.ts'
import { Field } from '../../../ui/field.tsx'
import { formatPrice } from '../../../ui/format/money.ts'
import { SelectField } from '../../../ui/select.tsx'
import { useVideoDraft } from './video-draft.ts'

const OTHER = '\u0000other'

/** A model that makes clips, as listed with its price, or one by its id. */
export function VideoModelField({ models }: { models: readonly Model[] | undefined }) {
  const model = useVideoDraft((state) => state.model)
  const [typed, setTyped] = useState(false)
  if (!models)
    return (
      <SelectField label={t`Model`} disabled>
        <option>{t`Loading…`}</option>
      </SelectField>
    )
  // Resets the options, because the new model may not offer the previous model's values.
  const set = (next: string) =>
    useVideoDraft.setState({ model: next, duration: '', quality: '', aspectRatio: '' })
  const types = typed || models.length === 0 || (model !== '' && !models.some(({ id }) => id === model))
  const choose = (next: string) => {
    setTyped(next === OTHER)
    set(next === OTHER ? '' : next)
  }
  return (
    <>
      {models.length > 0 && (
        <SelectField
          label={t`Model`}
          value={types ? OTHER : model}
          onChange={({ target }) => choose(target.value)}
        >
          {!types && model === '' && <option value="" disabled>{t`Choose a model`}</option>}
          {models.map((each) => (
            <option key={each.id} value={each.id}>
              {withPrice(each)}
            </option>
          ))}
          <option value={OTHER}>{t`Enter a model ID…`}</option>
        </SelectField>
      )}
      {types && (
        <Field
          label={t`Model ID`}
          value={model}
          maxLength={200}
          hint={
            models.length === 0 ? t`No video models are listed. If you know one, enter its ID.` : undefined
          }
          onChange={({ target }) => set(target.value.trim())}
        />
      )}
    </>
  )
}

function withPrice({ name, mediaPrice }: Model): string {
  if (mediaPrice?.perSecond !== undefined) return t`${name}: ${formatPrice(mediaPrice.perSecond)} per second`
  return mediaPrice?.base === undefined ? name : t`${name}: from ${formatPrice(mediaPrice.base)}`
}
