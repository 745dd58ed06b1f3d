import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, type ComponentType } from 'react'

/**
 * A component whose code is loaded when it is first shown. If loading fails, a message replaces the component, and the
 * rest keeps working.
 */
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
