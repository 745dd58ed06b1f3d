import { t } from '@lingui/core/macro'
import type { TeamKey } from '../../../shared/contract/team.ts'
import { DayRangeFields } from '../../ui/day-range-fields.tsx'
import { SelectField } from '../../ui/select.tsx'
import type { Owners } from '../labels.ts'
import { MemberField } from '../member-field.tsx'
import styles from './activity.module.css'
import type { ActivityChoice } from './activity-filter.ts'

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
      <DayRangeFields days={days} onChange={(chosen) => onChange({ ...choice, days: chosen })} />
    </div>
  )
}
