import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { useVoice } from './voice-store.ts'

const ReadAloud = lazyComponent(async () => (await import('./read-aloud.tsx')).ReadAloud)

/** The reply of this conversation that is being read aloud, if any. */
export function ReadingBar({ conversationId }: { conversationId: string }) {
  const reading = useVoice((state) => state.reading)
  return reading?.conversationId === conversationId ? <ReadAloud key={reading.id} {...reading} /> : null
}
