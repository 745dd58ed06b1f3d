import { useEffect, useState, type RefObject } from 'react'

/** What of a scroller's content is in view, in pixels. */
export interface Viewport {
  readonly top: number
  readonly left: number
  readonly height: number
  readonly width: number
}

/** Rows or columns that are drawn, from `first` to before `end`. */
export interface Span {
  readonly first: number
  readonly end: number
}

const OVERSCAN = 8
/** Places are told in steps, so that most frames of a slow scroll draw nothing new. */
const STEP = 4
const ACROSS = 40
/** Before anything was measured. */
export const unseen: Viewport = { top: 0, left: 0, height: 600, width: 800 }

/** Tells what is in view, to four rows of this height, whenever that is another. */
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
  // Its size is not asked for while it is scrolled: that would lay out what was just changed.
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

/** The rows in view and some around them, all of one height: what need not be measured costs nothing when it is scrolled to. */
export function rowsIn({ top, height }: Viewport, rowHeight: number, count: number): Span {
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + OVERSCAN)
  // A list that became shorter is drawn before anybody scrolls it.
  return { first: Math.max(0, Math.min(Math.floor(top / rowHeight), end) - OVERSCAN), end }
}

/** So many rem in whole pixels. */
export function pixelsOf(rem: number): number {
  return Math.round(rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
}
