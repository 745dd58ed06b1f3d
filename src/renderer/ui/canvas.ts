import { useEffect, useState, type RefObject } from 'react'

/** A number that changes with the size of the canvas, which must then be drawn again. */
export function useDrawn(canvas: RefObject<HTMLCanvasElement | null>): number {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const { current } = canvas
    if (!current) return
    const sized = new ResizeObserver(() => setTurn((before) => before + 1))
    sized.observe(current)
    return () => sized.disconnect()
  }, [canvas])
  return turn
}

export interface Paper {
  readonly context: CanvasRenderingContext2D
  readonly width: number
  readonly height: number
  /** From the style sheet: `color`, and `caret-color` for the background. */
  readonly ink: string
  readonly line: string
}

/** Clears the canvas and sets it to the screen's resolution; undefined while it has no size. */
export function paperOf(canvas: HTMLCanvasElement): Paper | undefined {
  const context = canvas.getContext('2d')
  const { clientWidth: width, clientHeight: height } = canvas
  if (!context || width === 0) return undefined
  const ratio = Math.min(devicePixelRatio, 3)
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  context.scale(ratio, ratio)
  const { color: ink, caretColor: line } = getComputedStyle(canvas)
  return { context, width, height, ink, line }
}
