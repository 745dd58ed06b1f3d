import { useEffect, useEffectEvent } from 'react'
import { currentRoute, type Route } from './route.ts'

interface OpenDialog {
  /** The view or chat that was open before. */
  readonly route: Route
  readonly close: () => void
}

/** The last one is on top. */
const dialogs: OpenDialog[] = []

/** @returns a function that removes the dialog from the stack */
export function pushDialog(close: () => void): () => void {
  const dialog = { route: currentRoute(), close }
  dialogs.push(dialog)
  return () => {
    const at = dialogs.indexOf(dialog)
    if (at !== -1) dialogs.splice(at, 1)
  }
}

/** Whether there was a dialog to close. */
export function closeTopDialog(): boolean {
  const top = dialogs.at(-1)
  top?.close()
  return top !== undefined
}

/** Closes the dialogs of the view or the chat that isn't open anymore. */
function closeLeftDialogs(): void {
  const now = currentRoute()
  for (const { route, close } of dialogs.toReversed()) if (isLeft(route, now)) close()
}

function isLeft(before: Route, now: Route): boolean {
  if (before.view !== now.view) return true
  // A new chat gets its ID with its first message, perhaps while a question about that message is open.
  return before.conversationId !== undefined && before.conversationId !== now.conversationId
}

/**
 * Back closes the top dialog. The browser lets a page cancel Back only after the person did something in it, and older
 * browsers never do. The dialogs of the view that was left then close.
 */
export function bindDialogsToRoute(): void {
  addEventListener('hashchange', closeLeftDialogs)
  if (!('navigation' in window)) return
  const { navigation } = window
  navigation.addEventListener('navigate', (event) => {
    const here = navigation.currentEntry?.index ?? 0
    const isBack = event.navigationType === 'traverse' && event.destination.index < here
    if (isBack && event.cancelable && closeTopDialog()) event.preventDefault()
  })
}

/** Puts a dialog on the stack while it's open. */
export function useDialogStack(open: boolean, close: () => void): void {
  const closeNow = useEffectEvent(close)
  useEffect(() => (open ? pushDialog(() => closeNow()) : undefined), [open])
}
