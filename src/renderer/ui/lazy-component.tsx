import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, type ComponentType } from 'react'

/** A part whose code is fetched when it is first shown. Where it cannot be fetched, it says so in its place, and the rest goes on. */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load().catch((): ComponentType<Props> => NotFetched) }))
  return function LazyComponent(props: Props) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    )
  }
}

function NotFetched() {
  return (
    <p role="alert">
      <Trans>
        Couldn’t load this part. Sotto isn’t responding or was updated. Nothing is lost. Reload the window.
      </Trans>
    </p>
  )
}
