import { plural, t } from '@lingui/core/macro'
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { formatPercent } from '../../../ui/format/number.ts'
import { useDarkTheme } from '../../../ui/theme.ts'
import { paperOf, useDrawn } from '../../../ui/canvas.ts'
import styles from './embeddings.module.css'
import { nearestTo, nextTowards, placeOn } from './map-places.ts'
import type { Plane } from './similarity.ts'

interface VectorMapProps {
  labels: readonly string[]
  plane: Plane
  chosen: number
  /** The texts most similar to the selected one. */
  near: readonly number[]
  onChosen: (index: number) => void
}

/** All texts in the two directions in which they differ most. A press chooses the nearest; arrow keys go to the next one that way. */
export function VectorMap({ labels, plane, chosen, near, onChosen }: VectorMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const dark = useDarkTheme()
  const drawn = useDrawn(canvas)
  const [over, setOver] = useState<number>()
  useEffect(() => {
    if (canvas.current) draw(canvas.current, plane.points, chosen, near, over)
  }, [plane, chosen, near, over, dark, drawn])

  const found = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLDivElement>): number | undefined => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    return nearestTo(plane.points, { x: clientX - left, y: clientY - top }, { width, height })
  }
  const typed = (event: KeyboardEvent) => {
    const ways: Readonly<Record<string, readonly [number, number]>> = {
      ArrowRight: [1, 0],
      ArrowLeft: [-1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    }
    const way = ways[event.key]
    if (!way) return
    event.preventDefault()
    const next = nextTowards(plane.points, chosen, way)
    if (next !== undefined) onChosen(next)
  }
  const count = labels.length
  const seen = formatPercent(plane.seen)
  const shown = labels[over ?? chosen] ?? ''
  return (
    <figure className={styles.figure}>
      <div
        className={styles.map}
        role="application"
        tabIndex={0}
        dir="ltr"
        aria-label={t`Text map. Use the arrow keys to move to the next text in that direction.`}
        onKeyDown={typed}
        onPointerMove={(event) => setOver(found(event))}
        onPointerLeave={() => setOver(undefined)}
        onPointerDown={(event) => {
          const at = found(event)
          if (at !== undefined) onChosen(at)
        }}
      >
        <canvas ref={canvas} className={styles.canvas} aria-hidden />
      </div>
      <p className={styles.says} role="status" data-testid="map-text">
        {over === undefined ? t`Selected: “${shown}”` : t`“${shown}”`}
      </p>
      <figcaption className={styles.quiet}>
        {plural(count, {
          one: '# text. There’s nothing to compare it with.',
          other: `# texts along the two directions with the most variation, covering ${seen} of it. Large dots are nearest to the selected text across all dimensions; the list shows how near.`,
        })}
      </figcaption>
    </figure>
  )
}

function draw(
  canvas: HTMLCanvasElement,
  points: Float32Array,
  chosen: number,
  near: readonly number[],
  over: number | undefined,
): void {
  const paper = paperOf(canvas)
  if (!paper) return
  const { context, width, height, ink, line } = paper
  const dot = (index: number, radius: number) => {
    const { x, y } = placeOn(points, index, { width, height })
    context.beginPath()
    context.arc(x, y, radius, 0, 2 * Math.PI)
  }
  context.fillStyle = line
  for (let index = 0; index * 2 < points.length; index++) {
    dot(index, 2.5)
    context.fill()
  }
  context.fillStyle = ink
  for (const index of near) {
    dot(index, 4)
    context.fill()
  }
  context.strokeStyle = ink
  context.lineWidth = 2
  dot(chosen, 5)
  context.fill()
  dot(chosen, 9)
  context.stroke()
  if (over === undefined || over === chosen) return
  context.lineWidth = 1.5
  dot(over, 7)
  context.stroke()
}
