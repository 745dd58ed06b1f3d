import { useCallback, useEffect, useRef, useState } from 'react'

/** Pixels from the end at which one who scrolls down is taken to want it. */
const NEAR = 48
/** Rounding of scroll positions on scaled screens. */
const AT_END = 2

export interface Follow {
  readonly scroller: React.RefObject<HTMLDivElement | null>
  readonly content: React.RefObject<HTMLDivElement | null>
  /** The reader went away from the end. */
  readonly away: boolean
  readonly toEnd: () => void
}

/**
 * Keeps the end of what grows in view, and never against the reader: whoever goes up by any means (a wheel, a key, the
 * browser's search, a screen reader), even by a little, or is marking text, stays where they are until they come back.
 */
export function useFollow(): Follow {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  const lastTop = useRef(0)
  const [away, setAway] = useState(false)

  const toEnd = useCallback(() => {
    following.current = true
    setAway(false)
    const element = scroller.current
    if (!element) return
    element.scrollTop = element.scrollHeight
    lastTop.current = element.scrollTop
  }, [])

  useEffect(() => {
    const element = scroller.current
    if (!element || !content.current) return
    // Growth is followed in the frame in which it happens: a scroll that leaves the end is somebody's.
    const scrolled = () => {
      const top = element.scrollTop
      const distance = element.scrollHeight - element.clientHeight - top
      if (distance < AT_END) following.current = true
      else if (top < lastTop.current) following.current = false
      else if (top > lastTop.current && distance < NEAR) following.current = true
      lastTop.current = top
      setAway(!following.current)
    }
    const resized = new ResizeObserver(() => {
      if (following.current && !isMarking(element)) toEnd()
    })
    resized.observe(content.current)
    resized.observe(element)
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', scrolled)
    }
  }, [toEnd])

  return { scroller, content, away, toEnd }
}

function isMarking(element: HTMLElement): boolean {
  const selection = getSelection()
  return selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode)
}
