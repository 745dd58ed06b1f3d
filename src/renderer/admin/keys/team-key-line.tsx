import { t } from '@lingui/core/macro'
import type { TeamKey } from '../../../shared/contract/team.ts'
import { BudgetUsed } from '../../ui/budget-used.tsx'
import { formatSentence } from '../../ui/format/list.ts'
import { otherLimitWords } from '../../ui/keys/key-words.ts'
import { Moment } from '../../ui/moment.tsx'
import { RecordLine } from '../../ui/record-line.tsx'
import { ownerName, type Owners } from '../labels.ts'

/** @param withOwner false if all keys have the same owner */
export function keyColumns(withOwner: boolean): readonly string[] {
  return [t`Name`, ...(withOwner ? [t`Owner`] : []), t`Budget`, t`Limits`, t`Created`]
}

const stateNames: Readonly<Record<Exclude<TeamKey['state'], 'live'>, string>> = {
  get expired() {
    return t({ message: 'Expired', context: 'key' })
  },
  get revoked() {
    return t`Revoked`
  },
}

interface TeamKeyLineProps {
  teamKey: TeamKey
  /** Undefined if all keys have the same owner. */
  owners: Owners | undefined
  /** Undefined if the role doesn't allow it. */
  onRevoke: (() => void) | undefined
}

/** A key of the team, without its secret. */
export function TeamKeyLine({ teamKey, owners, onRevoke }: TeamKeyLineProps) {
  const { name, ownerId, limits, used, createdAt, state } = teamKey
  const labels = otherLimitWords(limits, undefined)
  return (
    <RecordLine
      name={name}
      tags={state === 'live' ? [] : [stateNames[state]]}
      cells={[
        ...(owners
          ? [
              {
                label: t`Owner`,
                content: (
                  <p>
                    <bdi>{ownerName(ownerId, owners)}</bdi>
                  </p>
                ),
              },
            ]
          : []),
        {
          label: t`Budget`,
          content: <BudgetUsed money={{ limits, spent: used.spent, held: used.reserved }} />,
        },
        {
          label: t`Limits`,
          content: (
            <p>
              {labels.length > 0
                ? formatSentence(labels)
                : t`No other limits. Any model, any number of requests.`}
            </p>
          ),
        },
        { label: t`Created`, content: <Moment at={createdAt} /> },
      ]}
      actions={onRevoke && state !== 'revoked' ? [{ name: t`Revoke`, choose: onRevoke, danger: true }] : []}
    />
  )
}
