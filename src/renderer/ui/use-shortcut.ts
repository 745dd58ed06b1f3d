import { useEffect, useEffectEvent } from 'react'
import { isShortcut, type ShortcutName } from './shortcuts.ts'

/** The shortcuts that the desktop app's menu triggers. */
const fromMenu = new EventTarget()

/** Follows the commands of the desktop app's menu. */
export function followMenu(): void {
  window.desktop?.onCommand((name) => fromMenu.dispatchEvent(new Event(name)))
}

/** Binds the keys of a shortcut, and its item in the desktop app's menu, while the component is there. */
export function useShortcut(name: ShortcutName, run: () => void): void {
  const runNow = useEffectEvent(run)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!isShortcut(name, event)) return
      event.preventDefault()
      runNow()
    }
    const chosen = () => runNow()
    addEventListener('keydown', pressed)
    fromMenu.addEventListener(name, chosen)
    return () => {
      removeEventListener('keydown', pressed)
      fromMenu.removeEventListener(name, chosen)
    }
  }, [name])
}
