import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { Button } from '../../ui/button.tsx'
import { useLanguage } from '../../ui/language/language.ts'
import { useDarkTheme } from '../../ui/theme.ts'
import type { Drawn, DrawingOutcome } from './diagram-frame.ts'
import { queueDrawing } from './diagram-queue.ts'
import styles from './diagram.module.css'

/** Most characters of a diagram that is drawn. */
const MAX_DIAGRAM = 20_000

type Outcome = DrawingOutcome | 'unfetched' | 'long'

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
  get long() {
    return t`This diagram is too long to draw here.`
  },
}

interface DiagramDrawing {
  /** Gets the frame. It has a size before the drawing arrives. */
  readonly place: RefObject<HTMLDivElement | null>
  readonly size: Drawn | undefined
  readonly failure: keyof typeof failureTexts | undefined
  readonly retry: () => void
}

/** Draws a diagram in a frame without network access. The frame is there only while the drawing is wanted. */
export function useDrawing(source: string, wanted: boolean): DiagramDrawing {
  const dark = useDarkTheme()
  const place = useRef<HTMLDivElement>(null)
  const [ended, setEnded] = useState<{ readonly of: string; readonly outcome: Outcome }>()
  const outcome = source.length > MAX_DIAGRAM ? 'long' : ended?.of === source ? ended.outcome : undefined
  const failure = typeof outcome === 'string' ? outcome : undefined
  const draws = wanted && failure === undefined
  useEffect(() => {
    if (!draws) return undefined
    const left = new AbortController()
    const isLeft = () => left.signal.aborted
    queueDrawing(place, async (element) => {
      if (isLeft()) return
      const drawn = await draw(element, source, { dark, signal: left.signal })
      if (!isLeft()) setEnded({ of: source, outcome: drawn })
    })
    return () => left.abort()
  }, [source, draws, dark])
  return {
    place,
    size: typeof outcome === 'object' ? outcome : undefined,
    failure,
    retry: () => setEnded(undefined),
  }
}

async function draw(
  place: HTMLElement,
  source: string,
  options: { readonly dark: boolean; readonly signal: AbortSignal },
): Promise<Outcome> {
  try {
    const { drawDiagram } = await import('./diagram-frame.ts')
    return options.signal.aborted ? 'late' : await drawDiagram(place, source, options)
  } catch {
    return 'unfetched'
  }
}

/** Why there is no drawing. Another try can help unless the text is the cause. */
export function DiagramFailure({ failure, retry }: Pick<DiagramDrawing, 'failure' | 'retry'>) {
  return (
    failure && (
      <p className={styles.note} role="note">
        {failureTexts[failure]}
        {(failure === 'late' || failure === 'unfetched') && (
          <Button kind="link" onClick={retry}>
            <Trans>Try again</Trans>
          </Button>
        )}
      </p>
    )
  )
}

/** A diagram in its own size, at most as wide as its place. */
export function Diagram({ source }: { source: string }) {
  useLanguage()
  const { place, size, failure, retry } = useDrawing(source, true)
  return (
    <div className={styles.diagram}>
      <DiagramFailure failure={failure} retry={retry} />
      <div
        ref={place}
        className={styles.natural}
        style={
          size && {
            aspectRatio: `${String(size.width)} / ${String(size.height)}`,
            maxWidth: `${String(size.width)}px`,
          }
        }
        data-shown={size !== undefined}
      />
    </div>
  )
}
