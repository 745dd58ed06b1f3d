import type { Member } from '../../shared/contract/team.ts'
import { SelectField } from '../ui/select.tsx'
import { memberName } from './labels.ts'
import styles from './team-lists.module.css'

interface MemberFieldProps {
  label: string
  /** The label of the choice without a member; undefined if a member must be chosen. */
  all?: string
  /** Undefined until they are loaded. */
  members: readonly Member[] | undefined
  /** A member's ID, or empty. */
  chosen: string
  onChoose: (memberId: string) => void
}

/** A choice of a member. Two members may have the same name, so the address follows it. */
export function MemberField({ label, all, members, chosen, onChoose }: MemberFieldProps) {
  return (
    <SelectField
      label={label}
      className={styles.filter}
      value={chosen}
      onChange={(event) => onChoose(event.target.value)}
    >
      {all !== undefined && <option value="">{all}</option>}
      {members?.map((member) => (
        <option key={member.id} value={member.id}>
          {memberName(member) === member.email ? member.email : `${memberName(member)} (${member.email})`}
        </option>
      ))}
    </SelectField>
  )
}
