import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Member } from '../../../shared/contract/team.ts'
import { useAnswer } from '../../data/use-answer.ts'
import type { Days } from '../../ui/day-range.ts'
import { formatRecordedUsd } from '../../ui/format/money.ts'
import { formatCount } from '../../ui/format/number.ts'
import { Section } from '../../ui/view.tsx'
import { ownerName, type Owners } from '../labels.ts'
import { ListState } from '../list-state.tsx'
import { teamApi } from '../team-api.ts'
import styles from './activity.module.css'
import { rangeOf } from './activity-filter.ts'

interface MemberSumsProps {
  days: Days
  /** Undefined if the person sees only their own sum. */
  owners: Owners | undefined
  me: Member
}

/** What each member was charged in these days, the highest first. */
export function MemberSums({ days, owners, me }: MemberSumsProps) {
  const range = rangeOf(days)
  const answer = useAnswer(
    {
      key: ['team', 'sums', range],
      ask: (context) => teamApi.activity.byMember(range, context),
    },
    { keepPrevious: true, transient: true },
  )
  return (
    <Section title={owners ? t`Charged by member` : t`Charged`}>
      <ListState answer={answer} loading={t`Loading sums…`}>
        {(sums) => {
          if (!owners) {
            const sum = sums.find(({ memberId }) => memberId === me.id)
            const charged = formatRecordedUsd(sum?.charged ?? '0')
            return (
              <p data-testid="own-sum">
                {plural(sum?.requests ?? 0, {
                  one: `# request, ${charged}`,
                  other: `# requests, ${charged}`,
                })}
              </p>
            )
          }
          return sums.length === 0 ? (
            <p>
              <Trans>No requests in this period.</Trans>
            </p>
          ) : (
            <table className={styles.sums}>
              <thead>
                <tr>
                  <th scope="col">{t({ message: 'Member', context: 'role' })}</th>
                  <th scope="col">{t`Requests`}</th>
                  <th scope="col">{t`Charged`}</th>
                </tr>
              </thead>
              <tbody>
                {sums.map(({ memberId, requests, charged }) => (
                  <tr key={memberId ?? ''}>
                    <th scope="row">
                      <bdi>{ownerName(memberId, owners)}</bdi>
                    </th>
                    <td>{formatCount(requests)}</td>
                    <td>{formatRecordedUsd(charged)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }}
      </ListState>
    </Section>
  )
}
