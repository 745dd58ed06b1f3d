import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Field } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select.tsx'
import styles from './video.module.css'

const OTHER = '\u0000other'

interface ChoiceFieldProps {
  label: string
  /** The listed values. If there are none, the user types the value. */
  choices: readonly string[]
  /** Empty omits the parameter. */
  value: string
  /** The text that the field shows for an empty value. */
  unset: string
  fault?: string | undefined
  onChange: (value: string) => void
}

/** A parameter with its listed values, and a field to type any other value. */
export function ChoiceField({ label, choices, value, unset, fault, onChange }: ChoiceFieldProps) {
  const [typed, setTyped] = useState(false)
  const types = typed || (value !== '' && !choices.includes(value))
  if (choices.length === 0)
    return (
      <Field
        label={label}
        value={value}
        maxLength={40}
        placeholder={unset}
        fault={fault}
        onChange={({ target }) => onChange(target.value.trim())}
      />
    )
  const choose = (next: string) => {
    setTyped(next === OTHER)
    onChange(next === OTHER ? '' : next)
  }
  return (
    <div className={styles.choice}>
      <SelectField
        label={label}
        value={types ? OTHER : value}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">{unset}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
        <option value={OTHER}>{t`Other…`}</option>
      </SelectField>
      {types && (
        <Field
          label={t`${label} (other)`}
          value={value}
          maxLength={40}
          fault={fault}
          onChange={({ target }) => onChange(target.value.trim())}
        />
      )}
    </div>
  )
}
