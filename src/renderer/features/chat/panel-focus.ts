import { useLayoutEffect, useRef } from 'react'

/** Moves the focus to the message field, if it is shown. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>('[data-composer]')?.focus()
}

/**
 * When a panel next to the chat closes, the focus returns to the element from which it was opened, or else to the message
 * field.
 * @param shown what the panel shows; undefined when it is closed
 */
export function usePanelFocus(shown: object | undefined): void {
  const former = useRef<Element>(null)
  // A layout effect runs before the panel takes the focus, and before a narrow window hides the chat behind it.
  useLayoutEffect(() => {
    const { activeElement } = document
    if (shown) {
      if (!activeElement?.closest('[data-artifact], [data-passage]')) former.current = activeElement
    } else if (former.current && activeElement === document.body) {
      if (former.current instanceof HTMLElement) former.current.focus()
      if (document.activeElement === document.body) focusComposer()
      former.current = null
    }
  }, [shown])
}
