import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState, type ComponentType } from 'react'
import { Button } from './button.tsx'
import { Skeleton } from './skeleton.tsx'
import { View } from './view.tsx'

/**
 * A view whose code is loaded when it is first entered, so that the window doesn't wait for it. `load` must keep its
 * identity between renders.
 */
export function LazyView({ title, load }: { title: string; load: () => Promise<ComponentType> }) {
  const [Loaded, setLoaded] = useState<ComponentType>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let here = true
    load().then(
      (component) => {
        if (here) setLoaded(() => component)
      },
      () => {
        if (here) setFailed(true)
      },
    )
    return () => {
      here = false
    }
  }, [load])
  if (Loaded) return <Loaded />
  return (
    <View title={title}>
      {failed ? (
        <div role="alert">
          <p>
            <Trans>Couldn’t load this view. Sotto isn’t responding or was updated. Nothing is lost.</Trans>
          </p>
          {/* Within one page, a browser doesn't retry a load that failed. */}
          <Button onClick={() => location.reload()}>
            <Trans>Reload window</Trans>
          </Button>
        </div>
      ) : (
        <Skeleton label={t`Opening…`} />
      )}
    </View>
  )
}
