import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ComboboxField } from '../../../ui/combobox-field.tsx'
import { SelectField } from '../../../ui/select.tsx'
import styles from './batch.module.css'
import { cellForms } from './cell-forms.ts'
import type { MappedField } from './mapping.ts'

const NONE = '-1'

interface MappingFieldsProps {
  fields: readonly MappedField[]
  onFields: (fields: readonly MappedField[]) => void
  columns: readonly string[]
  sample: readonly (readonly string[])[]
  /** Whether the lookup's fields are known, so that the user can't add or remove fields. */
  known: boolean
  /** The field with which something is wrong. */
  wrong: number | undefined
  suggestions: readonly string[]
}

/** Each field of the request, the column that fills it, and what its cells become. */
export function MappingFields({
  fields,
  onFields,
  columns,
  sample,
  known,
  wrong,
  suggestions,
}: MappingFieldsProps) {
  const change = (key: number, part: Partial<MappedField>) =>
    onFields(fields.map((field) => (field.key === key ? { ...field, ...part } : field)))
  const add = () =>
    onFields([
      ...fields,
      {
        key: Math.max(-1, ...fields.map(({ key }) => key)) + 1,
        name: suggestions.find((name) => fields.every((field) => field.name !== name)) ?? '',
        column: undefined,
        as: 'text',
      },
    ])
  return (
    <fieldset className={styles.mapping}>
      <legend className={styles.legend}>
        <Trans>Column mapping</Trans>
      </legend>
      {fields.map(({ key, name, column, as }) => {
        const first = column === undefined ? undefined : sample[0]?.[column]
        return (
          <div
            key={key}
            className={styles.mapped}
            role="group"
            aria-label={name === '' ? t`Field` : name}
            data-wrong={wrong === key}
          >
            {known ? (
              <p className={styles.knownName}>
                <code>{name}</code>
              </p>
            ) : (
              <ComboboxField
                label={t`Field`}
                value={name}
                options={suggestions}
                maxLength={100}
                onChange={(next) => change(key, { name: next })}
              />
            )}
            <SelectField
              label={t`Column`}
              value={column ?? NONE}
              onChange={(event) =>
                change(key, { column: event.target.value === NONE ? undefined : Number(event.target.value) })
              }
              hint={first === undefined ? undefined : t`Example: ${first.slice(0, 60)}`}
            >
              <option value={NONE}>{known ? t`None (leave out)` : t`Choose a column`}</option>
              {columns.map((each, at) => (
                <option key={at} value={at}>
                  {each.slice(0, 100)}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t`Data type`}
              value={as}
              onChange={(event) => {
                const form = cellForms.find((each) => each.id === event.target.value)
                if (form) change(key, { as: form.id })
              }}
            >
              {cellForms.map((form) => (
                <option key={form.id} value={form.id}>
                  {form.name}
                </option>
              ))}
            </SelectField>
            {!known && fields.length > 1 && (
              <IconButton
                label={t`Remove field`}
                onClick={() => onFields(fields.filter((field) => field.key !== key))}
              >
                <X size={16} strokeWidth={1.75} aria-hidden />
              </IconButton>
            )}
          </div>
        )
      })}
      {!known && fields.length < Math.min(100, Math.max(1, columns.length) * 4) && (
        <p>
          <Button onClick={add}>
            <Trans>Add field</Trans>
          </Button>
        </p>
      )}
    </fieldset>
  )
}
