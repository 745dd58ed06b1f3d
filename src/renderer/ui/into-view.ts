/**
 * A `ref` for the active option of a list. React calls one that is the same function in each render only when another
 * option becomes active. Otherwise, each render would scroll back a list that a person scrolls with the wheel.
 */
export function scrollIntoList(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}

/**
 * As `scrollIntoList`, after the two frames in which a panel gets its position and height.
 * @returns cancels it
 */
export function scrollIntoPanel(findOption: () => HTMLElement | null): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => scrollIntoList(findOption()))
  })
  return () => cancelAnimationFrame(frame)
}

/** About a second. A row that isn't shown by then was removed from the page or is hidden for another reason. */
const FRAMES = 60

/**
 * Focuses an element of a virtual list. A row that was not in the page before is hidden until its height is known, and
 * takes no focus until then.
 * @param element nothing happens if there is none
 * @param frames how many frames it may be hidden
 */
export function focusOnceShown(element: HTMLElement | null | undefined, frames = FRAMES): void {
  if (!element?.isConnected) return
  element.focus()
  if (document.activeElement !== element && frames > 0)
    requestAnimationFrame(() => focusOnceShown(element, frames - 1))
}
