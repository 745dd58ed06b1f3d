import { useSyncExternalStore } from 'react'
import { create } from 'zustand'
import type { Theme } from '../../shared/theme.ts'

export const themes = ['system', 'light', 'dark'] as const satisfies readonly Theme[]
export type { Theme }

const KEY = 'sotto.theme'

function isTheme(value: string | null): value is Theme {
  return themes.some((theme) => theme === value)
}

/** The desktop app's window stores nothing; the shell stores the theme. */
function stored(): Theme {
  if (window.desktop) return window.desktop.theme
  const value = localStorage.getItem(KEY)
  return isTheme(value) ? value : 'system'
}

export const useTheme = create<{ readonly theme: Theme }>()(() => ({ theme: stored() }))

export function applyTheme(): void {
  const { theme } = useTheme.getState()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function setTheme(theme: Theme): void {
  if (window.desktop) window.desktop.setTheme(theme)
  else localStorage.setItem(KEY, theme)
  useTheme.setState({ theme })
  applyTheme()
}

const SYSTEM_DARK = '(prefers-color-scheme: dark)'

function followSystem(changed: () => void): () => void {
  const scheme = matchMedia(SYSTEM_DARK)
  scheme.addEventListener('change', changed)
  return () => scheme.removeEventListener('change', changed)
}

/** Whether the window is dark, for content that the style sheet can't reach. */
export function useDarkTheme(): boolean {
  const theme = useTheme((state) => state.theme)
  const systemIsDark = useSyncExternalStore(
    followSystem,
    () => matchMedia(SYSTEM_DARK).matches,
    () => false,
  )
  return theme === 'system' ? systemIsDark : theme === 'dark'
}
