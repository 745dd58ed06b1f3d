import { useRef } from 'react'

interface ReturnFocus {
  readonly onOpenAutoFocus: () => void
  readonly onCloseAutoFocus: (event: Event) => void
}

/** For a dialog that no trigger of its own opens: when it closes, the focus goes back to where it was. */
export function useReturnFocus(): ReturnFocus {
  const before = useRef<Element>(null)
  return {
    onOpenAutoFocus: () => { before.current = document.activeElement },
    onCloseAutoFocus: (event) => {
      event.preventDefault()
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus()
    },
  }
}
