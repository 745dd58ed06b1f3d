import { t } from '@lingui/core/macro'
import { ServiceScope } from '../../data/service-scope.tsx'
import { useFollowedJobs, useStoredText } from '../../ui/jobs/jobs-store.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { ViewTabs, type ViewTab } from '../../ui/view-tabs.tsx'
import { View } from '../../ui/view.tsx'

const tabs: readonly [ViewTab, ...ViewTab[]] = [
  {
    id: 'catalogue',
    get name() {
      return t`Catalog`
    },
    Tab: lazyComponent(async () => (await import('./catalogue/catalogue-tab.tsx')).CatalogueTab),
  },
  {
    id: 'batch',
    get name() {
      return t`Batch`
    },
    Tab: lazyComponent(async () => (await import('./batch/batch-tab.tsx')).BatchTab),
  },
  {
    id: 'embeddings',
    get name() {
      return t`Embeddings`
    },
    Tab: lazyComponent(async () => (await import('./embeddings/embeddings-tab.tsx')).EmbeddingsTab),
  },
]

/** The service's data functions: single lookups, batches for the rows of a table, and embeddings. */
export function LookupsView() {
  const storageText = useStoredText()
  return (
    <View
      wide
      title={t`Data`}
      description={`${t`Run lookups one at a time or for each row of a table, and turn text into vectors. You see each price first.`} ${storageText}`}
    >
      <ServiceScope>
        <DataTabs />
      </ServiceScope>
    </View>
  )
}

function DataTabs() {
  useFollowedJobs()
  return <ViewTabs view="data" label={t`Data sections`} tabs={tabs} />
}
