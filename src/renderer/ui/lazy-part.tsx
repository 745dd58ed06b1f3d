import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, type ComponentType } from 'react'

/** A part whose code is fetched when it is first shown. Where it cannot be fetched, it says so in its place, and the rest goes on. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load().catch((): ComponentType<Props> => NotFetched) }))
  return function LazyPart(props: Props) {
    return <Suspense><Part {...props} /></Suspense>
  }
}

function NotFetched() {
  return <p role="alert"><Trans>This part could not be fetched: Sotto does not answer, or another version of it runs by now. Nothing is lost; load the window again.</Trans></p>
}
