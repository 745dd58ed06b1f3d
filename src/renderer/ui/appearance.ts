import { t } from '@lingui/core/macro'
import type { Density, TextSize } from '../../shared/window-preferences.ts'
import { setPreferences, usePreferences } from './preferences.ts'

export const textSizeNames: Readonly<Record<TextSize, string>> = {
  get small() {
    return t`Small`
  },
  get medium() {
    return t`Medium`
  },
  get large() {
    return t`Large`
  },
  get larger() {
    return t`Extra large`
  },
}

/** Applies the saved density and text size to the style sheets (style/tokens.css). */
export function applyAppearance(): void {
  const { density, textSize } = usePreferences.getState()
  const { dataset } = document.documentElement
  dataset['density'] = density
  dataset['textSize'] = textSize
}

/** Changes how much space the window leaves between its parts, and saves it. */
export function setDensity(density: Density): void {
  setPreferences({ density })
  applyAppearance()
}

/** Changes the size of all text, and saves it. */
export function setTextSize(textSize: TextSize): void {
  setPreferences({ textSize })
  applyAppearance()
}
