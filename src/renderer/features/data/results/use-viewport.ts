import { useEffect, useState, type RefObject } from 'react'

/** The visible part of a scroller's content, in pixels. */
export interface Viewport {
  readonly top: number
  readonly left: number
  readonly height: number
  readonly width: number
}

/** Rows or columns to draw, from `first` to before `end`. */
export interface Span {
  readonly first: number
  readonly end: number
}

const OVERSCAN = 8
/** Positions are reported in steps, so that most frames of a slow scroll draw nothing new. */
const STEP = 4
const ACROSS = 40
/** The viewport before the first measurement. */
export const unseen: Viewport = { top: 0, left: 0, height: 600, width: 800 }

/** Reports the visible part of the scroller, in steps of four rows of this height, whenever it changes. */
export function followViewport(
  element: HTMLElement,
  rowHeight: number,
  moved: (viewport: Viewport) => void,
): () => void {
  const step = STEP * rowHeight
  let known = unseen
  let size = { height: 0, width: 0 }
  const look = () => {
    const next: Viewport = {
      ...size,
      top: Math.floor(element.scrollTop / step) * step,
      left: Math.floor(Math.abs(element.scrollLeft) / ACROSS) * ACROSS,
    }
    if (
      known.top === next.top &&
      known.left === next.left &&
      known.height === next.height &&
      known.width === next.width
    )
      return
    known = next
    moved(next)
  }
  // Reading the size while scrolling would force a layout of the latest changes.
  const seen = new ResizeObserver(() => {
    size = { height: element.clientHeight + step, width: element.clientWidth + ACROSS }
    look()
  })
  seen.observe(element)
  element.addEventListener('scroll', look, { passive: true })
  return () => {
    seen.disconnect()
    element.removeEventListener('scroll', look)
  }
}

export function useViewport(scroller: RefObject<HTMLElement | null>, rowHeight: number): Viewport {
  const [viewport, setViewport] = useState(unseen)
  useEffect(
    () => (scroller.current ? followViewport(scroller.current, rowHeight, setViewport) : undefined),
    [scroller, rowHeight],
  )
  return viewport
}

/** The rows in view and some around them. All rows have the same height, so scrolling measures none of them. */
export function rowsIn({ top, height }: Viewport, rowHeight: number, count: number): Span {
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + OVERSCAN)
  // A list that became shorter is drawn before any scroll event.
  return { first: Math.max(0, Math.min(Math.floor(top / rowHeight), end) - OVERSCAN), end }
}

/** Converts rem to whole pixels. */
export function pixelsOf(rem: number): number {
  return Math.round(rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
}
