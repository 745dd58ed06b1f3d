import { create } from 'zustand'
import {
  defaultPreferences,
  densities,
  languageChoices,
  sidebarChoices,
  sidebarWidths,
  textSizes,
  type WindowPreferences,
} from '../../shared/window-preferences.ts'

/** The key in `localStorage` under which browser tabs save preferences. */
export const PREFERENCES_KEY = 'sotto.preferences'

/** The desktop app's window stores nothing; the shell stores its preferences. */
function stored(): WindowPreferences {
  return readPreferences(window.desktop ? window.desktop.preferences : localStorage.getItem(PREFERENCES_KEY))
}

/** An unknown value counts as not chosen. */
export function readPreferences(text: string | null | undefined): WindowPreferences {
  const storedValue = parsed(text ?? '')
  const named = (name: string): unknown =>
    typeof storedValue === 'object' && storedValue !== null
      ? Object.getOwnPropertyDescriptor(storedValue, name)?.value
      : undefined
  return {
    language: languageChoices.find((choice) => choice === named('language')) ?? defaultPreferences.language,
    density: densities.find((density) => density === named('density')) ?? defaultPreferences.density,
    textSize: textSizes.find((size) => size === named('textSize')) ?? defaultPreferences.textSize,
    sidebar: sidebarChoices.find((choice) => choice === named('sidebar')) ?? defaultPreferences.sidebar,
    sidebarWidth: sidebarWidth(named('sidebarWidth')),
  }
}

function sidebarWidth(value: unknown): number {
  const { least, most } = sidebarWidths
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
    ? value
    : defaultPreferences.sidebarWidth
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const usePreferences = create<WindowPreferences>()(() =>
  typeof window === 'undefined' ? defaultPreferences : stored(),
)

/** Reads what another tab saved. */
export function reloadPreferences(): void {
  usePreferences.setState(stored())
}

export function setPreferences(change: Partial<WindowPreferences>): void {
  const preferences = { ...usePreferences.getState(), ...change }
  if (window.desktop) window.desktop.setPreferences(preferences)
  else localStorage.setItem(PREFERENCES_KEY, JSON.stringify(preferences))
  usePreferences.setState(preferences)
}
