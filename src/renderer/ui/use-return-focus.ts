import { useInsertionEffect, useRef } from 'react'

interface ReturnFocus {
  readonly onCloseAutoFocus: (event: Event) => void
}

/**
 * For a dialog that no trigger of its own opens: when it closes, the focus goes back to where it was. Where that is gone by
 * then, it goes to the title of what held it, or to the first part around it that takes the focus; at last, to the room.
 */
export function useReturnFocus(open: boolean): ReturnFocus {
  const way = useRef<readonly Element[]>([])
  // Before a field of the dialog takes the focus by itself: that comes first of what else is told of an opened dialog.
  useInsertionEffect(() => {
    if (open) way.current = [...upwards(document.activeElement)]
  }, [open])
  return {
    onCloseAutoFocus: (event) => {
      event.preventDefault()
      // Another dialog that came in place of this one has it already.
      if (document.activeElement !== document.body) return
      takerOf(way.current)?.focus()
    },
  }
}

function takerOf(way: readonly Element[]): HTMLElement | null {
  for (const place of way.filter(({ isConnected }) => isConnected)) {
    const taker =
      place === way[0] || place.matches('[tabindex="-1"]')
        ? place
        : place.querySelector(':is(h1, h2, h3, h4)[tabindex="-1"]')
    if (taker instanceof HTMLElement) return taker
  }
  return document.getElementById('main')
}

function* upwards(from: Element | null): Generator<Element> {
  for (let element = from; element && element !== document.body; element = element.parentElement)
    yield element
}
