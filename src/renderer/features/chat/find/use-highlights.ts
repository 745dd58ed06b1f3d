import { useCallback, useEffect, useRef, type RefObject } from 'react'
import { jumpTo } from '../jump.ts'
import { BY_HAND } from '../use-follow.ts'
import { rangesIn } from './find-matches.ts'
import type { Match } from './find-store.ts'

/** The names of the two highlights in find-bar.module.css. */
const EVERY = 'find'
const CURRENT = 'find-current'
/** The text of a message, without its reasoning, tool calls, sources and files. */
const TEXT = '[data-asked],[data-reply]'
/** Parts of the text that the message doesn't contain. */
const NOT_TEXT = 'button,[role="note"],[aria-hidden="true"]'
/** A row that was far away gets its place over several frames, because the rows around it are measured while they are drawn. */
const MAX_FRAMES = 120
/** Frames in which the match must be in view without another scroll. */
const SETTLED_FRAMES = 10
/** The match is at least this far from the edges of the view, in pixels: the bar covers the top. */
const MARGIN = 64

/**
 * Highlights every match in the messages that are in the page, without changing them (CSS Custom Highlight API).
 * Returns a function that scrolls the current match into view, also if its message is not in the page yet, unless the
 * reader moves.
 */
export function useHighlights(
  scroller: RefObject<HTMLElement | null>,
  pattern: RegExp | undefined,
  current: Match | undefined,
): () => void {
  const reveal = useRef(ended)
  const request = useRef(0)
  const draw = useRef<() => void>(() => undefined)

  const schedule = useCallback(() => {
    cancelAnimationFrame(request.current)
    request.current = requestAnimationFrame(() => draw.current())
  }, [])

  useEffect(() => {
    draw.current = () => {
      const element = scroller.current
      if (!element) return
      const { every, chosen } = pattern ? rangesOf(element, pattern, current) : nothing
      show(EVERY, every)
      show(CURRENT, chosen ? [chosen] : [])
      const { frames, settled } = reveal.current
      if (!current || frames === 0 || settled === SETTLED_FRAMES) {
        reveal.current = ended
        return
      }
      if (!chosen && frames === MAX_FRAMES) jumpTo(current.messageId)
      const rests = chosen !== undefined && (isInView(element, chosen) || !scrollTo(element, chosen))
      reveal.current = { frames: frames - 1, settled: rests ? settled + 1 : 0 }
      schedule()
    }
    schedule()
  }, [scroller, pattern, current, schedule])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new MutationObserver(schedule)
    observer.observe(element, { childList: true, characterData: true, subtree: true })
    const endReveal = () => {
      reveal.current = ended
    }
    for (const event of BY_HAND) element.addEventListener(event, endReveal, { passive: true })
    return () => {
      observer.disconnect()
      for (const event of BY_HAND) element.removeEventListener(event, endReveal)
      cancelAnimationFrame(request.current)
      show(EVERY, [])
      show(CURRENT, [])
    }
  }, [scroller, schedule])

  return useCallback(() => {
    reveal.current = { frames: MAX_FRAMES, settled: 0 }
    schedule()
  }, [schedule])
}

const ended = { frames: 0, settled: 0 }

const nothing = { every: [], chosen: undefined }

function rangesOf(element: HTMLElement, pattern: RegExp, current: Match | undefined) {
  const every: Range[] = []
  let chosen: Range | undefined
  for (const text of element.querySelectorAll(TEXT)) {
    const ranges = rangesIn(text, pattern, NOT_TEXT)
    every.push(...ranges)
    // The text of the page can have fewer matches than its Markdown, for example none in the address of a link.
    const row = text.closest<HTMLElement>('[data-message]')
    if (current && row?.dataset['message'] === current.messageId)
      chosen = ranges[Math.min(current.nth, ranges.length - 1)]
  }
  return { every, chosen }
}

function show(name: string, ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return
  if (ranges.length === 0) CSS.highlights.delete(name)
  else CSS.highlights.set(name, new Highlight(...ranges))
}

function isInView(element: HTMLElement, range: Range): boolean {
  const view = element.getBoundingClientRect()
  const { top, bottom } = range.getBoundingClientRect()
  return top >= view.top + MARGIN && bottom <= view.bottom - MARGIN
}

/** Returns whether the view moved: near an end of the chat there may be nothing left to scroll. */
function scrollTo(element: HTMLElement, range: Range): boolean {
  const view = element.getBoundingClientRect()
  const { top, height } = range.getBoundingClientRect()
  // A row that isn't measured yet has no place.
  if (height === 0) return true
  const before = element.scrollTop
  element.scrollTop += top - view.top - view.height / 3
  return element.scrollTop !== before
}
