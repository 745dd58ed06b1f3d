import { t } from '@lingui/core/macro'
import { useAnswer, useScopedState } from '../../../data/use-answer.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { AskedBefore } from './asked-before.tsx'
import { catalogue, endpointsQuestion } from './catalogue-store.ts'
import { EndpointList } from './endpoint-list.tsx'
import { idOf } from './group-endpoints.ts'
import { LookupPage } from './lookup-page.tsx'
import styles from './catalogue.module.css'
import { Skeleton } from '../../../ui/skeleton.tsx'

/** The lookups that the service currently sells: the list, or the selected lookup. */
export function CatalogueTab() {
  const { data: endpoints, failure, busy, refresh } = useAnswer(endpointsQuestion)
  const { chosen, jobId } = useScopedState(catalogue)
  const endpoint = endpoints?.find((each) => idOf(each) === chosen)
  if (chosen !== undefined && (endpoint !== undefined || jobId !== undefined))
    return <LookupPage key={chosen} id={chosen} endpoint={endpoint} />
  return (
    <div className={styles.tab}>
      {failure && <FailureNote failure={failure} onRetry={refresh} />}
      {!endpoints && !failure && <Skeleton label={t`Loading lookups…`} />}
      {endpoints?.length === 0 && <EmptyState title={t`The service has no lookups right now.`} />}
      {endpoints && endpoints.length > 0 && (
        <EndpointList endpoints={endpoints} busy={busy} refresh={refresh} />
      )}
      <AskedBefore label={t`Past lookups`} />
    </div>
  )
}
