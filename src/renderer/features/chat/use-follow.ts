import { useCallback, useEffect, useRef, useState } from 'react'

/** A reader who scrolls down to within this distance of the end, in pixels, wants to follow it again. */
const NEAR = 48
/** Rounding of scroll positions on scaled screens. */
const AT_END = 2
/** Events that precede scrolling by the reader. */
export const BY_HAND = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
/** A place is final when it doesn't change in so many frames. Rows get their heights in the frame after they are drawn. */
const STILL_FRAMES = 3
/** Events that end a press. A drag cancels it, and a menu may swallow its end. */
const RELEASE = ['pointerup', 'pointercancel', 'contextmenu'] as const

export interface Follow {
  readonly scroller: React.RefObject<HTMLDivElement | null>
  readonly content: React.RefObject<HTMLDivElement | null>
  /** The reader went away from the end. */
  readonly away: boolean
  readonly toEnd: () => void
  /**
   * Leads the reader to a place, and corrects it while the rows near it get their heights, unless the reader moves.
   * @param placeOf from the place where the view starts, both in pixels from the start of the content
   */
  readonly leadTo: (placeOf: (top: number) => number) => void
  /** Whether the reader is being led to a place. */
  readonly isLeading: () => boolean
}

/**
 * Keeps the end of the thread in view, but never against the reader. A reader who goes up by any means (a wheel, a key,
 * the browser's search, a screen reader), even by a little, or who marks text, stays in place until they come back.
 * Nothing moves while a finger or mouse button is down, so that a click reaches the pressed element. Rows that are
 * smaller than estimated also move the view up. A move with another height and without input from the reader is
 * attributed to the layout.
 */
export function useFollow(): Follow {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  const last = useRef({ top: 0, height: 0 })
  /** Leads the reader, until they are there or move. */
  const led = useRef<() => void>(undefined)
  /** The reader did something that may move the view. */
  const byHand = useRef(false)
  const [away, setAway] = useState(false)

  const moveToEnd = useCallback(() => {
    following.current = true
    led.current = undefined
    setAway(false)
    const element = scroller.current
    if (!element) return
    element.scrollTop = element.scrollHeight
    last.current = { top: element.scrollTop, height: element.scrollHeight }
  }, [])

  // Rows that get their heights after this move the view up. Without this reset, that would be attributed to what the
  // reader did before.
  const toEnd = useCallback(() => {
    byHand.current = false
    moveToEnd()
  }, [moveToEnd])

  const leadTo = useCallback((placeOf: (top: number) => number) => {
    following.current = false
    setAway(true)
    byHand.current = false
    let still = 0
    const correct = () => {
      const element = scroller.current
      if (!element || led.current !== correct) return
      const before = element.scrollTop
      element.scrollTop = placeOf(before)
      still = element.scrollTop === before ? still + 1 : 0
      if (still < STILL_FRAMES) {
        requestAnimationFrame(correct)
        return
      }
      led.current = undefined
      following.current = distanceToEnd(element) < AT_END
      setAway(!following.current)
    }
    led.current = correct
    correct()
  }, [])

  useEffect(() => {
    const element = scroller.current
    const grows = content.current
    if (!element || !grows) return
    const touched = () => {
      byHand.current = true
      led.current = undefined
    }
    let pressed = false
    const follow = () => {
      if (following.current && !pressed && !isMarking(element)) moveToEnd()
    }
    const press = ({ button }: PointerEvent) => {
      pressed = button === 0
    }
    // The click comes after the release, so the view catches up in the next frame.
    const release = () => {
      if (!pressed) return
      requestAnimationFrame(() => {
        pressed = false
        follow()
      })
    }
    // By how much the content grew the last time, and since the view last moved.
    const size = { height: element.scrollHeight, grew: 0, grewInAll: 0 }
    // The list moves the view before or after this observer hears of the growth.
    const noteGrowth = () => {
      const grew = element.scrollHeight - size.height
      if (grew === 0) return
      size.grew = grew
      size.grewInAll += grew
      size.height += grew
    }
    const resize = () => {
      noteGrowth()
      follow()
    }
    const scrolled = () => {
      noteGrowth()
      const { scrollTop: top, scrollHeight: height } = element
      const distance = distanceToEnd(element)
      const wentUp = top < last.current.top
      // If a row grows just after the view moved, the list moves the view by as much. Text that a reader presses or marks must stay where it is.
      const moved = top - last.current.top
      const byList =
        size.grewInAll !== 0 &&
        [size.grew, size.grewInAll].some((growth) => Math.abs(moved - growth) < AT_END)
      size.grewInAll = 0
      const marking = isMarking(element)
      if (
        following.current &&
        ((pressed && !marking && height !== last.current.height) || (byList && marking))
      ) {
        element.scrollTop = last.current.top
        last.current = { top: element.scrollTop, height }
        return
      }
      // While rows have estimated heights, a place near the end can be at the end.
      if (led.current) {
        last.current = { top, height }
        return
      }
      if (distance < AT_END) {
        following.current = true
        byHand.current = false
      } else if (wentUp && (byHand.current || height === last.current.height)) following.current = false
      else if (wentUp && following.current) {
        moveToEnd()
        return
      } else if (top > last.current.top && distance < NEAR) following.current = true
      last.current = { top, height }
      setAway(!following.current)
    }
    const resized = new ResizeObserver(resize)
    resized.observe(grows)
    resized.observe(element)
    // Listen to presses on the content, not on the scroll bar, whose release no browser reports.
    grows.addEventListener('pointerdown', press)
    for (const event of RELEASE) addEventListener(event, release)
    element.addEventListener('scroll', scrolled, { passive: true })
    for (const event of BY_HAND) element.addEventListener(event, touched, { passive: true })
    return () => {
      resized.disconnect()
      grows.removeEventListener('pointerdown', press)
      for (const event of RELEASE) removeEventListener(event, release)
      for (const event of BY_HAND) element.removeEventListener(event, touched)
      element.removeEventListener('scroll', scrolled)
    }
  }, [moveToEnd])

  const isLeading = useCallback(() => led.current !== undefined, [])

  return { scroller, content, away, toEnd, leadTo, isLeading }
}

function distanceToEnd({ scrollTop, scrollHeight, clientHeight }: HTMLElement): number {
  return scrollHeight - clientHeight - scrollTop
}

function isMarking(element: HTMLElement): boolean {
  const selection = getSelection()
  return selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode)
}
