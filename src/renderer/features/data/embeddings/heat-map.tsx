import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useDarkTheme } from '../../../ui/theme.ts'
import { paperOf, useDrawn } from '../../../ui/canvas.ts'
import styles from './embeddings.module.css'
import { formatSimilarity } from './use-similarity.ts'

interface HeatMapProps {
  /** Labels of the rows, which are also the columns. */
  labels: readonly string[]
  /** Row by row. */
  matrix: Float32Array
}

/** The similarity of each pair of texts: more ink means more similar. A table below shows the same. */
export function HeatMap({ labels, matrix }: HeatMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const dark = useDarkTheme()
  const drawn = useDrawn(canvas)
  const size = labels.length
  const [place, setPlace] = useState({ row: 0, column: 0 })
  const [open, setOpen] = useState(false)
  const row = Math.min(place.row, size - 1)
  const column = Math.min(place.column, size - 1)
  useEffect(() => {
    if (canvas.current) draw(canvas.current, matrix, size, { row, column })
  }, [matrix, size, row, column, dark, drawn])

  const typed = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      ArrowRight: [0, 1],
      ArrowLeft: [0, -1],
    }
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    setPlace({ row: within(row + step[0], size), column: within(column + step[1], size) })
  }
  const pointed = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLDivElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    setPlace({
      row: within(Math.floor(((clientY - top) / height) * size), size),
      column: within(Math.floor(((clientX - left) / width) * size), size),
    })
  }
  const [one, other, value] = [
    labels[row] ?? '',
    labels[column] ?? '',
    formatSimilarity(matrix[row * size + column] ?? 0),
  ]
  return (
    <figure className={styles.figure}>
      <div
        className={styles.heat}
        role="application"
        tabIndex={0}
        dir="ltr"
        aria-label={t`Similarity heat map. Use the arrow keys to move between cells.`}
        onKeyDown={typed}
        onPointerMove={pointed}
        onPointerDown={pointed}
      >
        <canvas ref={canvas} className={styles.canvas} aria-hidden />
      </div>
      <p
        className={styles.says}
        role="status"
        data-testid="heat-cell"
      >{t`${value}: “${one}” and “${other}”`}</p>
      <figcaption className={styles.quiet}>
        <Trans>
          The selected text and its nearest neighbors, compared in pairs. Stronger color means more similar.
        </Trans>
      </figcaption>
      <details className={styles.table} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <Trans>View as table</Trans>
        </summary>
        {open && (
          <div className={styles.scroll} role="region" tabIndex={0} aria-label={t`Similarity table`}>
            <table>
              <thead>
                <tr>
                  <td />
                  {labels.map((label, at) => (
                    <th key={at} scope="col" title={label}>
                      {at + 1}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {labels.map((label, at) => (
                  <tr key={at}>
                    <th scope="row">
                      {at + 1}. {label}
                    </th>
                    {labels.map((_, across) => (
                      <td key={across}>{formatSimilarity(matrix[at * size + across] ?? 0)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </details>
    </figure>
  )
}

function within(at: number, size: number): number {
  return Math.min(Math.max(0, at), size - 1)
}

/** From paper for the least similar pair to ink for equal texts. */
function draw(
  canvas: HTMLCanvasElement,
  matrix: Float32Array,
  size: number,
  { row, column }: { readonly row: number; readonly column: number },
): void {
  const paper = paperOf(canvas)
  if (!paper || size === 0) return
  const { context, width, height, ink, line } = paper
  const least = matrix.reduce((so, value) => Math.min(so, value), 1)
  context.fillStyle = ink
  for (let at = 0; at < size * size; at++) {
    const [y, x] = [Math.floor(at / size), at % size]
    context.globalAlpha = least === 1 ? 1 : 0.04 + 0.96 * (((matrix[at] ?? 0) - least) / (1 - least))
    const [left, top] = [Math.round((x / size) * width), Math.round((y / size) * height)]
    context.fillRect(
      left,
      top,
      Math.round(((x + 1) / size) * width) - left,
      Math.round(((y + 1) / size) * height) - top,
    )
  }
  context.globalAlpha = 1
  context.lineWidth = 2
  context.strokeStyle = line
  context.strokeRect(
    (column / size) * width + 1,
    (row / size) * height + 1,
    width / size - 2,
    height / size - 2,
  )
}
