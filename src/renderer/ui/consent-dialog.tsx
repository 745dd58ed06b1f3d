import { lazyComponent } from './lazy-component.tsx'
import { useConsent } from './consent-store.ts'

const Question = lazyComponent(async () => (await import('./consent-question.tsx')).ConsentQuestion)

/** Shown over everything while part of a private conversation is about to be exposed. */
export function ConsentDialog() {
  const asked = useConsent((state) => state.asking !== undefined)
  return asked ? <Question /> : null
}
