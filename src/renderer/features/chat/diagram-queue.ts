import type { RefObject } from 'react'

type Place = RefObject<Element | null>

const waiting = new Map<Place, () => Promise<void>>()
let busy = false

/**
 * Draws one diagram after another, because each loads a large library. The one nearest to the middle of the window is
 * next, so that a long reply shows first what the reader looks at.
 *
 * @param draw isn't called if the place leaves the page first, and replaces an earlier one of the same place
 */
export function queueDrawing<P extends Element>(
  place: RefObject<P | null>,
  draw: (place: P) => Promise<void>,
): void {
  waiting.set(place, async () => {
    if (place.current) await draw(place.current)
  })
  void drawAll()
}

async function drawAll(): Promise<void> {
  if (busy) return
  busy = true
  // The diagrams that come into view at the same time are compared with each other.
  await Promise.resolve()
  for (let next = nearest(); next; next = nearest()) {
    waiting.delete(next.place)
    await next.draw()
  }
  busy = false
}

function nearest() {
  let best:
    | { readonly place: Place; readonly draw: () => Promise<void>; readonly distance: number }
    | undefined
  for (const [place, draw] of waiting) {
    const distance = distanceOf(place)
    if (!best || distance < best.distance) best = { place, draw, distance }
  }
  return best
}

/** From the middle of the window, in pixels. */
function distanceOf({ current }: Place): number {
  if (!current) return Number.POSITIVE_INFINITY
  const { top, height } = current.getBoundingClientRect()
  return Math.abs(top + height / 2 - innerHeight / 2)
}
