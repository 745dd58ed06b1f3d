import { applyAppearance } from './appearance.ts'
import { applyLanguage } from './language/language.ts'
import { PREFERENCES_KEY, reloadPreferences } from './preferences.ts'

/** Applies preferences that another tab saved. The desktop window never gets this event: its shell saves them. */
export function followTabs(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key !== PREFERENCES_KEY) return
    reloadPreferences()
    applyAppearance()
    void applyLanguage()
  })
}
