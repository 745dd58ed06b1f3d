import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { daysOf, presetOf, presets, type Days } from './day-range.ts'
import { Field } from './field.tsx'
import { SelectField } from './select.tsx'
import { useNow } from './use-now.ts'

const CUSTOM = 'own'

/** Which days a list shows: a range with a name, or a first and a last day. */
export function DayRangeFields({ days, onChange }: { days: Days; onChange: (days: Days) => void }) {
  const [isCustom, setCustom] = useState(false)
  const preset = presetOf(days, useNow(60_000))
  const shown = isCustom || preset === undefined ? CUSTOM : preset
  const choose = (value: string) => {
    const chosen = presets.find(({ id }) => id === value)
    setCustom(!chosen)
    if (chosen) onChange(daysOf(chosen.id, Date.now()))
  }
  const setDay = (part: keyof Days, day: string) => {
    const { [part]: _, ...others } = days
    onChange(day === '' ? others : { ...others, [part]: day })
  }
  return (
    <>
      <SelectField label={t`Date range`} value={shown} onChange={(event) => choose(event.target.value)}>
        {presets.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value={CUSTOM}>{t`Custom range…`}</option>
      </SelectField>
      {shown === CUSTOM && (
        <>
          <Field
            label={t`From`}
            type="date"
            value={days.from ?? ''}
            max={days.until}
            onChange={(event) => setDay('from', event.target.value)}
          />
          <Field
            label={t`To`}
            type="date"
            value={days.until ?? ''}
            min={days.from}
            onChange={(event) => setDay('until', event.target.value)}
          />
        </>
      )}
    </>
  )
}
