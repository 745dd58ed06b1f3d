import { useInsertionEffect, useRef } from 'react'

interface ReturnFocus {
  readonly onCloseAutoFocus: (event: Event) => void
}

/**
 * For a dialog that no trigger of its own opens: when it closes, the focus goes back to where it was. Where that is gone by
 * then, it goes to the title of what held it, or to the first part around it that takes the focus.
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
      for (const place of way.current) {
        const taker = place === way.current[0] || place.matches('[tabindex="-1"]') ? place : place.querySelector(':is(h1, h2, h3, h4)[tabindex="-1"]')
        if (place.isConnected && taker instanceof HTMLElement) return taker.focus()
      }
    },
  }
}

function* upwards(from: Element | null): Generator<Element> {
  for (let element = from; element && element !== document.body; element = element.parentElement) yield element
}
