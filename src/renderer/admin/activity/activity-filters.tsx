import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { TeamKey } from '../../../shared/contract/team.ts'
import { daysOf, presetOf, presets, type Days } from '../../ui/day-range.ts'
import { Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { Owners } from '../labels.ts'
import { MemberField } from '../member-field.tsx'
import styles from './activity.module.css'
import type { ActivityChoice } from './activity-filter.ts'

const CUSTOM = 'own'

interface ActivityFiltersProps {
  choice: ActivityChoice
  onChange: (choice: ActivityChoice) => void
  /** Undefined if the person sees only their own requests. */
  owners: Owners | undefined
  /** Undefined until they are loaded. */
  keys: readonly TeamKey[] | undefined
}

/** Which requests are shown: by member, key and day. */
export function ActivityFilters({ choice, onChange, owners, keys }: ActivityFiltersProps) {
  const { memberId, keyId, days } = choice
  const [isCustom, setCustom] = useState(false)
  const preset = presetOf(days, useNow(60_000))
  const shown = isCustom || preset === undefined ? CUSTOM : preset
  const chooseDays = (value: string) => {
    const chosen = presets.find(({ id }) => id === value)
    setCustom(!chosen)
    if (chosen) onChange({ ...choice, days: daysOf(chosen.id, Date.now()) })
  }
  const setDay = (part: keyof Days, day: string) => {
    const { [part]: _, ...others } = days
    onChange({ ...choice, days: day === '' ? others : { ...others, [part]: day } })
  }
  const offered = keys?.filter(({ ownerId }) => memberId === '' || ownerId === memberId)
  return (
    <div className={styles.filters} role="group" aria-label={t`Filters`}>
      {owners && (
        <MemberField
          label={t({ message: 'Member', context: 'role' })}
          all={t`All members`}
          members={owners.members}
          chosen={memberId}
          // A key of another member would leave nothing.
          onChoose={(chosen) => onChange({ ...choice, memberId: chosen, keyId: '' })}
        />
      )}
      <SelectField
        label={t`Key`}
        value={keyId}
        onChange={(event) => onChange({ ...choice, keyId: event.target.value })}
      >
        <option value="">{t`All keys`}</option>
        {offered?.map(({ id, name, state }) => (
          <option key={id} value={id}>
            {state === 'revoked' ? t`${name} (revoked)` : name}
          </option>
        ))}
      </SelectField>
      <SelectField label={t`Date range`} value={shown} onChange={(event) => chooseDays(event.target.value)}>
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
    </div>
  )
}
