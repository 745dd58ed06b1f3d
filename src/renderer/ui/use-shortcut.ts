import { useEffect, useRef } from 'react'
import { isShortcut, type ShortcutName } from './shortcuts.ts'

/** Binds the keys of a shortcut while the component is there. */
export function useShortcut(name: ShortcutName, run: () => void): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!isShortcut(name, event)) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [name])
}
