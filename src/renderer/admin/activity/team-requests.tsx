import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RequestCells, RequestColumns } from '../../ui/request-cells.tsx'
import columns from '../../ui/request-cells.module.css'
import { classNames } from '../../ui/class-names.ts'
import { Section } from '../../ui/view.tsx'
import { ownerName, type Owners } from '../labels.ts'
import { ListState } from '../list-state.tsx'
import styles from './activity.module.css'
import type { ActivityFilter } from './activity-filter.ts'
import { useActivity } from './use-activity.ts'

interface TeamRequestsProps {
  filter: ActivityFilter
  /** Undefined if the person sees only their own requests. */
  owners: Owners | undefined
}

/** The requests, the newest first. Older ones are added at the end. */
export function TeamRequests({ filter, owners }: TeamRequestsProps) {
  const activity = useActivity(filter)
  const { more, loadsMore, older } = activity
  return (
    <Section title={t`Requests`}>
      <ListState answer={activity} loading={t`Loading requests…`}>
        {(requests) =>
          requests.length === 0 ? (
            <EmptyState title={t`No matching requests`} />
          ) : (
            <div className={styles.frame}>
              <RequestColumns tool={t`Key`} />
              <ul aria-label={t`Request list`}>
                {requests.map((request) => (
                  <li key={request.id} className={classNames(columns.row, styles.request)}>
                    <RequestCells request={request}>
                      <bdi className={styles.key}>{request.tool}</bdi>
                      {owners && <bdi className={styles.owner}>{ownerName(request.memberId, owners)}</bdi>}
                    </RequestCells>
                  </li>
                ))}
              </ul>
              {more && (
                <p className={styles.older}>
                  <Button onClick={older} busy={loadsMore && t`Loading more…`}>
                    <Trans>Load older requests</Trans>
                  </Button>
                </p>
              )}
            </div>
          )
        }
      </ListState>
    </Section>
  )
}
