import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { useLanguage } from '../../ui/language/language.ts'
import type { Drawn } from './diagram-frame.ts'
import styles from './diagram.module.css'

/** Most characters of a diagram that is drawn. */
const MAX_DIAGRAM = 20_000

type Shown =
  | { readonly is: 'source' | 'drawing' | keyof typeof failureTexts }
  | { readonly is: 'drawn'; readonly size: Drawn }

const failureTexts = {
  get refused() {
    return t`Sotto can’t draw this text as a diagram.`
  },
  get unfetched() {
    return t`Couldn’t load the diagram renderer because Sotto isn’t responding. Nothing is lost.`
  },
  get late() {
    return t`Drawing this diagram took over 30 seconds, so it was stopped.`
  },
}

/**
 * Draws a diagram from its source when the person asks, in a frame without network access. The source stays visible
 * above it.
 */
export function Diagram({ source }: { source: string }) {
  useLanguage()
  const [shown, setShown] = useState<Shown>({ is: 'source' })
  const place = useRef<HTMLDivElement>(null)
  const close = useRef<() => void>(() => undefined)
  useEffect(() => () => close.current(), [source])

  const tell = (outcome: Drawn | keyof typeof failureTexts) => {
    setShown(typeof outcome === 'string' ? { is: outcome } : { is: 'drawn', size: outcome })
    announce(typeof outcome === 'string' ? failureTexts[outcome] : t`Diagram drawn.`)
  }
  const draw = async () => {
    const left = new AbortController()
    close.current = () => left.abort()
    setShown({ is: 'drawing' })
    try {
      const { showDiagram } = await import('./diagram-frame.ts')
      if (!left.signal.aborted && place.current) close.current = showDiagram(place.current, source, tell)
    } catch {
      tell('unfetched')
    }
  }
  const remove = () => {
    close.current()
    setShown({ is: 'source' })
  }

  if (source.length > MAX_DIAGRAM)
    return (
      <p className={styles.note}>
        <Trans>This diagram is too long to draw here.</Trans>
      </p>
    )
  return (
    <div className={styles.diagram}>
      {shown.is === 'drawn' ? (
        <Button onClick={remove}>
          <Trans>Hide diagram</Trans>
        </Button>
      ) : (
        <Button busy={shown.is === 'drawing' && t`Drawing diagram…`} onClick={() => void draw()}>
          <Trans>Draw diagram</Trans>
        </Button>
      )}
      {(shown.is === 'refused' || shown.is === 'late' || shown.is === 'unfetched') && (
        <p className={styles.note} role="note">
          {failureTexts[shown.is]}
        </p>
      )}
      <div
        ref={place}
        className={styles.place}
        data-drawn={shown.is === 'drawn'}
        style={
          shown.is === 'drawn'
            ? {
                aspectRatio: `${String(shown.size.width)} / ${String(shown.size.height)}`,
                maxWidth: `${String(shown.size.width)}px`,
              }
            : undefined
        }
      />
    </div>
  )
}
