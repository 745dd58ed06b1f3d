import { plural, t } from '@lingui/core/macro'
import { lockMinutesOffered } from '../../../shared/lock.ts'
import { SelectField } from '../select.tsx'

interface AutoLockFieldProps {
  minutes: number | null
  onChange: (minutes: number | null) => void
}

/** After how many minutes without use Sotto locks. */
export function AutoLockField({ minutes, onChange }: AutoLockFieldProps) {
  // Offer a value that was set elsewhere too.
  const offered = [...new Set([...lockMinutesOffered, ...(minutes === null ? [] : [minutes])])].toSorted(
    (a, b) => a - b,
  )
  return (
    <SelectField
      label={t`Lock automatically`}
      hint={t`Running requests postpone the lock until they finish.`}
      value={minutes === null ? '' : String(minutes)}
      onChange={({ target: { value } }) => onChange(value === '' ? null : Number(value))}
    >
      <option value="">{t`Never`}</option>
      {offered.map((each) => (
        <option key={each} value={each}>
          {afterMinutes(each)}
        </option>
      ))}
    </SelectField>
  )
}

function afterMinutes(minutes: number): string {
  if (minutes % 60 === 0) {
    const hours = minutes / 60
    return plural(hours, { one: 'After # hour without use', other: 'After # hours without use' })
  }
  return plural(minutes, { one: 'After # minute without use', other: 'After # minutes without use' })
}
