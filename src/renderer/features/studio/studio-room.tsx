import { t } from '@lingui/core/macro'
import { ServiceScope } from '../../data/service-scope.tsx'
import { useFollowedJobs } from '../../ui/jobs/jobs-store.ts'
import { useKeptWords } from '../../ui/jobs/use-kept-words.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { RoomTabs, type RoomTab } from '../../ui/room-tabs.tsx'
import { Room } from '../../ui/room.tsx'

const tabs: readonly [RoomTab, ...RoomTab[]] = [
  {
    id: 'images',
    get name() {
      return t`Images`
    },
    Tab: lazyPart(async () => (await import('./images/images-tab.tsx')).ImagesTab),
  },
  {
    id: 'video',
    get name() {
      return t`Video`
    },
    Tab: lazyPart(async () => (await import('./video/video-tab.tsx')).VideoTab),
  },
  {
    id: 'speech',
    get name() {
      return t`Speech`
    },
    Tab: lazyPart(async () => (await import('./speech/speech-tab.tsx')).SpeechTab),
  },
  {
    id: 'transcription',
    get name() {
      return t`Transcription`
    },
    Tab: lazyPart(async () => (await import('./transcription/transcription-tab.tsx')).TranscriptionTab),
  },
  {
    id: 'library',
    get name() {
      return t`Library`
    },
    Tab: lazyPart(async () => (await import('./library/library-tab.tsx')).LibraryTab),
  },
]

/** What the service makes beside chat: images, clips, speech, and texts of recordings; and all that was made. */
export function StudioRoom() {
  const kept = useKeptWords()
  return (
    <Room
      wide
      title={t`Studio`}
      says={`${t`Create images, video, speech, and transcripts. You see the price first.`} ${kept}`}
    >
      <ServiceScope>
        <StudioTabs />
      </ServiceScope>
    </Room>
  )
}

function StudioTabs() {
  useFollowedJobs()
  return <RoomTabs room="studio" label={t`Studio sections`} tabs={tabs} />
}
