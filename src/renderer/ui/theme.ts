import { create } from 'zustand'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const KEY = 'sotto.theme'

function isTheme(value: string | null): value is Theme {
  return themes.some((theme) => theme === value)
}

function stored(): Theme {
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
  localStorage.setItem(KEY, theme)
  useTheme.setState({ theme })
  applyTheme()
}
