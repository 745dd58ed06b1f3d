import { useCallback, useEffect, useRef, useState } from 'react'

const NEAR = 48
const HAND_MS = 700

export interface Follow {
  readonly scroller: React.RefObject<HTMLDivElement | null>
  readonly content: React.RefObject<HTMLDivElement | null>
  /** The reader went away from the end. */
  readonly away: boolean
  readonly toEnd: () => void
}

/**
 * Keeps the end of what grows in view, and never against the reader: whoever scrolls up, or is marking text, stays
 * where they are until they come back to the end by themselves or by `toEnd`.
 */
export function useFollow(): Follow {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  const [away, setAway] = useState(false)

  const toEnd = useCallback(() => {
    following.current = true
    setAway(false)
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }, [])

  useEffect(() => {
    const element = scroller.current
    if (!element || !content.current) return
    let hand = Number.NEGATIVE_INFINITY
    const touched = () => { hand = performance.now() }
    const scrolled = () => {
      const atEnd = element.scrollHeight - element.clientHeight - element.scrollTop < NEAR
      // Only a hand leaves the end: sizes that change above and below scroll too.
      if (atEnd) following.current = true
      else if (performance.now() - hand < HAND_MS) following.current = false
      setAway(!following.current)
    }
    const grown = new ResizeObserver(() => {
      if (following.current && !isMarking(element)) element.scrollTop = element.scrollHeight
    })
    grown.observe(content.current)
    grown.observe(element)
    element.addEventListener('scroll', scrolled, { passive: true })
    for (const type of HANDS) element.addEventListener(type, touched, { passive: true })
    return () => {
      grown.disconnect()
      element.removeEventListener('scroll', scrolled)
      for (const type of HANDS) element.removeEventListener(type, touched)
    }
  }, [])

  return { scroller, content, away, toEnd }
}

const HANDS = ['wheel', 'touchmove', 'pointerdown', 'pointermove', 'keydown'] as const

function isMarking(element: HTMLElement): boolean {
  const selection = getSelection()
  return selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode)
}
