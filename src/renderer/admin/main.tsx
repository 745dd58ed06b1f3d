import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/inter/wght-italic.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '../ui/style/tokens.css'
import '../ui/style/base.css'
import { I18nProvider } from '@lingui/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyAppearance } from '../ui/appearance.ts'
import { bindDialogsToRoute } from '../ui/dialog-stack.ts'
import { followTabs } from '../ui/follow-tabs.ts'
import { applyLanguage } from '../ui/language/language.ts'
import { i18n } from '../ui/language/runtime.tsx'
import { applyTheme } from '../ui/theme.ts'

// The page imports zod, which reads this setting when it's loaded. Without it, zod tests whether it may compile functions
// from text, which the page's policy forbids.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const root = document.getElementById('window')
if (root) {
  applyTheme()
  applyAppearance()
  bindDialogsToRoute()
  followTabs()
  const page = import('./admin-page.tsx').then(({ AdminPage }) => AdminPage)
  void Promise.all([page, applyLanguage()]).then(([AdminPage]) =>
    createRoot(root).render(
      <StrictMode>
        <I18nProvider i18n={i18n}>
          <AdminPage />
        </I18nProvider>
      </StrictMode>,
    ),
  )
}
