import { useInsertionEffect, useRef } from 'react'

interface ReturnFocus {
  readonly onCloseAutoFocus: (event: Event) => void
}

/**
 * For a dialog without a trigger: when it closes, the focus returns to the former element. If that element is gone, the
 * focus goes to the title of its container, or to the nearest container that can take it, and finally to the view.
 */
export function useReturnFocus(open: boolean): ReturnFocus {
  const way = useRef<readonly Element[]>([])
  // An insertion effect runs first when the dialog opens, before a field of the dialog takes the focus automatically.
  useInsertionEffect(() => {
    if (open) way.current = [...upwards(document.activeElement)]
  }, [open])
  return {
    onCloseAutoFocus: (event) => {
      event.preventDefault()
      // Another dialog that replaced this one has the focus already.
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
