import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Member } from '../../../shared/contract/team.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { daysOf } from '../../ui/day-range.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import listing from '../../ui/listing.module.css'
import { View } from '../../ui/view.tsx'
import { keysQuestion, membersQuestion } from '../team-answers.ts'
import { filterOf, type ActivityChoice } from './activity-filter.ts'
import { ActivityFilters } from './activity-filters.tsx'
import { ExportActivity } from './export-activity.tsx'
import { MemberSums } from './member-sums.tsx'
import { TeamRequests } from './team-requests.tsx'

/** The requests of the team or of a member, without their content. */
export function ActivityView({ me }: { me: Member }) {
  const isMember = me.role === 'member'
  const [choice, setChoice] = useState<ActivityChoice>(() => ({
    memberId: '',
    keyId: '',
    days: daysOf('month', Date.now()),
  }))
  const members = useAnswer(isMember ? undefined : membersQuestion)
  const keys = useAnswer(keysQuestion())
  const filter = filterOf(choice)
  const owners = isMember ? undefined : { members: members.data }
  return (
    <View
      title={t`Activity`}
      wide
      description={t`Requests with their times and costs. Prompts and replies aren’t included. Days are in UTC.`}
    >
      {members.failure && (
        <FailureNote failure={members.failure} className={listing.note} onRetry={members.refresh} />
      )}
      <ActivityFilters choice={choice} onChange={setChoice} owners={owners} keys={keys.data} />
      <MemberSums days={choice.days} owners={owners} me={me} />
      <TeamRequests filter={filter} owners={owners} />
      <ExportActivity filter={filter} days={choice.days} />
    </View>
  )
}
