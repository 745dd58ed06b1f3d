import { lazyPart } from './lazy-part.tsx'
import { useConsent } from './consent-store.ts'

const Question = lazyPart(async () => (await import('./consent-question.tsx')).ConsentQuestion)

/** Stands over everything while something of a private conversation is about to be exposed. */
export function ConsentDialog() {
  const asked = useConsent((state) => state.asking !== undefined)
  return asked ? <Question /> : null
}
