import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Model } from '../../shared/model.ts'
import { Field } from './field.tsx'
import { SelectField } from './select.tsx'

const OTHER = '\u0000other'

interface ModelFieldProps {
  /** Undefined while the listing loads; empty if the listing has none or can't be loaded. */
  models: readonly Model[] | undefined
  model: string
  /** The name of a listed model, with its price. */
  nameOf: (model: Model) => string
  /** The field of the ID if no model is listed. */
  unlisted: { readonly label: string; readonly hint: string }
  fault?: string | undefined
  onChange: (model: string) => void
}

/** A field for a model from the service's listing, or for a typed model ID. */
export function ModelField({ models, model, nameOf, unlisted, fault, onChange }: ModelFieldProps) {
  const [typed, setTyped] = useState(false)
  if (!models)
    return (
      <SelectField label={t`Model`} disabled>
        <option>{t`Loading…`}</option>
      </SelectField>
    )
  // A model that isn't in the listing, as after a change of service, still is the one to request, so the
  // field shows it.
  const types = typed || models.length === 0 || (model !== '' && !models.some(({ id }) => id === model))
  const choose = (value: string) => {
    setTyped(value === OTHER)
    onChange(value === OTHER ? '' : value)
  }
  return (
    <>
      {models.length > 0 && (
        <SelectField
          label={t`Model`}
          value={types ? OTHER : model}
          onChange={(event) => choose(event.target.value)}
          fault={types ? undefined : fault}
        >
          {!types && model === '' && <option value="" disabled>{t`Choose a model`}</option>}
          {models.map((each) => (
            <option key={each.id} value={each.id}>
              {nameOf(each)}
            </option>
          ))}
          <option value={OTHER}>{t`Enter a model ID…`}</option>
        </SelectField>
      )}
      {types && (
        <Field
          {...(models.length > 0 ? { label: t`Model ID` } : unlisted)}
          value={model}
          onChange={(event) => onChange(event.target.value)}
          maxLength={200}
          fault={fault}
        />
      )}
    </>
  )
}
