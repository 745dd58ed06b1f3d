import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Model } from '../../../../shared/model.ts'
import { Field } from '../../../ui/field.tsx'
import { formatPrice } from '../../../ui/format/money.ts'
import { SelectField } from '../../../ui/select.tsx'
import { useModels } from './purchase-store.ts'
import styles from './purchases.module.css'

const OTHER = '\u0000other'

interface ModelFieldProps {
  /**
   * Models of the kind to buy. Undefined while the listing loads; empty if the listing has none or can't be
   * loaded.
   */
  models: readonly Model[] | undefined
  model: string
  fault: string | undefined
  onChange: (model: string) => void
}

/** The models of one type. Private models can't be paid per request. */
export function ListedModelField({
  type,
  ...field
}: Omit<ModelFieldProps, 'models'> & { type: string | undefined }) {
  const models = useModels()?.filter((model) => model.type === type && !model.private)
  return <ModelField models={models} {...field} />
}

/** A field for a model from the service's listing, or for a typed model ID. */
export function ModelField({ models, model, fault, onChange }: ModelFieldProps) {
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
    <div className={styles.fields}>
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
              {each.name === each.id ? each.id : `${each.name} (${each.id})`}
              {priceWords(each)}
            </option>
          ))}
          <option value={OTHER}>{t`Enter a model ID…`}</option>
        </SelectField>
      )}
      {types && (
        <Field
          label={models.length > 0 ? t`Model ID` : t`Model`}
          value={model}
          onChange={(event) => onChange(event.target.value)}
          maxLength={200}
          fault={fault}
          hint={models.length > 0 ? undefined : t`The model ID as the service lists it.`}
        />
      )}
    </div>
  )
}

/** The list price, if it doesn't depend on the request. The quoted price covers the other cases. */
function priceWords({ mediaPrice }: Model): string {
  if (!mediaPrice) return ''
  const { base, perSecond, tables } = mediaPrice
  if (perSecond !== undefined) return t`, list price ${formatPrice(perSecond)} per second`
  if (base === undefined) return ''
  return tables.length > 0
    ? t`, list price ${formatPrice(base)} by default`
    : t`, list price ${formatPrice(base)}`
}
