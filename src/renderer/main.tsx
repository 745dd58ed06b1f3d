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
import { followTabs } from './ui/follow-tabs.ts'
import { reportUse, startOverWhenLocked } from './ui/lock.ts'
import { followDesktop } from './ui/route.ts'
import { applyTheme } from './ui/theme.ts'

// Read by zod when a room that needs it is entered: it would try whether it may make functions of text, and the policy of the page, which lets
// nobody do so, would report it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// The browser notes each request for whoever measures a page, and keeps the notes as long as the page is there: nobody reads them here.
performance.setResourceTimingBufferSize(0)

const root = document.getElementById('window')
if (root) {
  applyTheme()
  applyAppearance()
  followDesktop()
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
