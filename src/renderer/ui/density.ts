import type { Density } from '../../shared/window-preferences.ts'
import { setPreferences, usePreferences } from './preferences.ts'

export function applyDensity(): void {
  document.documentElement.dataset['density'] = usePreferences.getState().density
}

export function setDensity(density: Density): void {
  setPreferences({ density })
  applyDensity()
}
