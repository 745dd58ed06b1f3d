import { t } from '@lingui/core/macro'
import { useId, type ComponentProps } from 'react'
import { FieldFrame, type FrameProps } from './field-frame.tsx'
import fields from './field.module.css'
import styles from './slider-field.module.css'

interface SliderFieldProps extends FrameProps {
  /** As it's written. It may be empty, or no number. */
  value: string
  onChange: (value: string) => void
  min: number
  max: number
  step: number
  /** What an empty field means, for screen readers. The slider then rests at `rest`. */
  unset?: string
  rest?: number
  disabled?: boolean
}

/** A number by a slider or by typing. Both show the same value, and the text field takes any precision. */
export function SliderField({
  value,
  onChange,
  min,
  max,
  step,
  unset,
  rest = min,
  disabled = false,
  ...frame
}: SliderFieldProps) {
  const name = useId()
  const number = Number(value.trim().replace(',', '.'))
  const isSet = value.trim() !== '' && Number.isFinite(number)
  const range: ComponentProps<'input'> = {
    min,
    max,
    step,
    disabled,
    value: isSet ? Math.min(Math.max(number, min), max) : rest,
    ...(!isSet && unset !== undefined && { 'aria-valuetext': unset }),
  }
  return (
    <FieldFrame {...frame} labelId={name}>
      {(control) => (
        <div className={styles.slider}>
          <input
            type="range"
            aria-labelledby={name}
            data-unset={!isSet || undefined}
            onChange={({ target }) => onChange(target.value)}
            {...range}
          />
          <input
            className={fields.input}
            inputMode="decimal"
            autoComplete="off"
            maxLength={20}
            disabled={disabled}
            value={value}
            placeholder={unset === undefined ? undefined : t`Default`}
            onChange={({ target }) => onChange(target.value)}
            {...control}
          />
        </div>
      )}
    </FieldFrame>
  )
}
