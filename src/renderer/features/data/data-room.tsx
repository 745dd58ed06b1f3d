import { t } from '@lingui/core/macro'
import { ServiceScope } from '../../data/service-scope.tsx'
import { useFollowedJobs } from '../../ui/jobs/jobs-store.ts'
import { useKeptWords } from '../../ui/jobs/use-kept-words.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { RoomTabs, type RoomTab } from '../../ui/room-tabs.tsx'
import { Room } from '../../ui/room.tsx'

const tabs: readonly [RoomTab, ...RoomTab[]] = [
  {
    id: 'catalogue',
    get name() {
      return t`Catalog`
    },
    Tab: lazyPart(async () => (await import('./catalogue/catalogue-tab.tsx')).CatalogueTab),
  },
  {
    id: 'batch',
    get name() {
      return t`Batch`
    },
    Tab: lazyPart(async () => (await import('./batch/batch-tab.tsx')).BatchTab),
  },
  {
    id: 'embeddings',
    get name() {
      return t`Embeddings`
    },
    Tab: lazyPart(async () => (await import('./embeddings/embeddings-tab.tsx')).EmbeddingsTab),
  },
]

/** What the service sells as data: looked up one by one, for the rows of a table, and texts as vectors. */
export function DataRoom() {
  const kept = useKeptWords()
  return (
    <Room
      wide
      title={t`Data`}
      says={`${t`Run lookups one at a time or for each row of a table, and turn text into vectors. You see each price first.`} ${kept}`}
    >
      <ServiceScope>
        <DataTabs />
      </ServiceScope>
    </Room>
  )
}

function DataTabs() {
  useFollowedJobs()
  return <RoomTabs room="data" label={t`Data sections`} tabs={tabs} />
}
