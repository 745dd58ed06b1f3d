import { t } from '@lingui/core/macro'
import { Moon, Sun, SunMoon } from 'lucide-react'
import { setTheme, themes, useTheme, type Theme } from '../theme.ts'
import styles from './sidebar.module.css'

const names: Readonly<Record<Theme, string>> = {
  get system() {
    return t`System`
  },
  get light() {
    return t`Light`
  },
  get dark() {
    return t`Dark`
  },
}
const icons = { system: SunMoon, light: Sun, dark: Moon } as const

/** One press goes to the next of the three. */
export function ThemeSwitch() {
  const theme = useTheme((state) => state.theme)
  const Icon = icons[theme]
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  return (
    <button
      type="button"
      className={styles.room}
      onClick={() => setTheme(next)}
      title={t`Theme: ${names[theme]}`}
      aria-label={t`Theme: ${names[theme]}. Switch to ${names[next]}`}
    >
      <Icon size={18} strokeWidth={1.6} aria-hidden />
      <span className={styles.label}>{names[theme]}</span>
    </button>
  )
}
