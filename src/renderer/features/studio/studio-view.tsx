import { t } from '@lingui/core/macro'
import { ServiceScope } from '../../data/service-scope.tsx'
import { useFollowedJobs, useStoredText } from '../../ui/jobs/jobs-store.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { ViewTabs, type ViewTab } from '../../ui/view-tabs.tsx'
import { View } from '../../ui/view.tsx'

const tabs: readonly [ViewTab, ...ViewTab[]] = [
  {
    id: 'images',
    get name() {
      return t`Images`
    },
    Tab: lazyComponent(async () => (await import('./images/images-tab.tsx')).ImagesTab),
  },
  {
    id: 'video',
    get name() {
      return t`Video`
    },
    Tab: lazyComponent(async () => (await import('./video/video-tab.tsx')).VideoTab),
  },
  {
    id: 'speech',
    get name() {
      return t`Speech`
    },
    Tab: lazyComponent(async () => (await import('./speech/speech-tab.tsx')).SpeechTab),
  },
  {
    id: 'transcription',
    get name() {
      return t`Transcription`
    },
    Tab: lazyComponent(async () => (await import('./transcription/transcription-tab.tsx')).TranscriptionTab),
  },
  {
    id: 'library',
    get name() {
      return t`Library`
    },
    Tab: lazyComponent(async () => (await import('./library/library-tab.tsx')).LibraryTab),
  },
]

/**
 * The service's media functions other than chat: images, videos, speech and transcripts; and the library of
 * all results.
 */
export function StudioView() {
  const storageText = useStoredText()
  return (
    <View
      wide
      title={t`Studio`}
      description={`${t`Create images, video, speech, and transcripts. You see the price first.`} ${storageText}`}
    >
      <ServiceScope>
        <StudioTabs />
      </ServiceScope>
    </View>
  )
}

function StudioTabs() {
  useFollowedJobs()
  return <ViewTabs view="studio" label={t`Studio sections`} tabs={tabs} />
}
