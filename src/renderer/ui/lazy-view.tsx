import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState, type ComponentType } from 'react'
import { Button } from './button.tsx'
import { Skeleton } from './skeleton.tsx'
import { View } from './view.tsx'

/** A room whose code is fetched when it is first entered, so that the window does not wait for it. `load` is the same function each time. */
export function LazyView({ title, load }: { title: string; load: () => Promise<ComponentType> }) {
  const [Loaded, setLoaded] = useState<ComponentType>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let here = true
    load().then(
      (room) => {
        if (here) setLoaded(() => room)
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
          {/* A browser does not fetch again, within one page, what failed once. */}
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
