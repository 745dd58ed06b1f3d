import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/inter/wght-italic.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './ui/style/tokens.css'
import './ui/style/base.css'
import { I18nProvider } from '@lingui/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { startSession } from './ui/api.ts'
import { applyLanguage } from './ui/language/language.ts'
import { i18n } from './ui/language/runtime.tsx'
import { applyAppearance } from './ui/appearance.ts'
import { bindDialogsToRoute } from './ui/dialog-stack.ts'
import { followTabs } from './ui/follow-tabs.ts'
import { reportUse, startOverWhenLocked } from './ui/lock.ts'
import { followDesktop } from './ui/route.ts'
import { bindSelectKeys } from './ui/select.tsx'
import { followMenu } from './ui/use-shortcut.ts'
import { applyTheme } from './ui/theme.ts'

// Zod reads this setting when a view first loads it. Without the setting, zod tests whether it may compile functions
// from text. The page's policy forbids that and would report a violation.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// The browser keeps an entry for each request as long as the page lives. Nothing in this window reads the entries.
performance.setResourceTimingBufferSize(0)

const root = document.getElementById('window')
if (root) {
  applyTheme()
  applyAppearance()
  followDesktop()
  bindDialogsToRoute()
  bindSelectKeys()
  followMenu()
  followTabs()
  startOverWhenLocked()
  reportUse()
  void startSession()
  void applyLanguage().then(() =>
    createRoot(root).render(
      <StrictMode>
        <I18nProvider i18n={i18n}>
          <App />
        </I18nProvider>
      </StrictMode>,
    ),
  )
}
