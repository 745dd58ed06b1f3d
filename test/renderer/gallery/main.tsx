import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '../../../src/renderer/ui/style/tokens.css'
import '../../../src/renderer/ui/style/base.css'
import './gallery.css'
import { I18nProvider } from '@lingui/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyLanguage } from '../../../src/renderer/ui/language/language.ts'
import { i18n } from '../../../src/renderer/ui/language/runtime.tsx'
import { bindSelectKeys } from '../../../src/renderer/ui/select.tsx'
import { Segments } from '../../../src/renderer/ui/segments.tsx'
import { applyTheme, setTheme, themes, useTheme } from '../../../src/renderer/ui/theme.ts'
import { Controls } from './controls.tsx'
import { Fields } from './fields.tsx'
import { Messages } from './messages.tsx'
import { Overlays } from './overlays.tsx'
import { Tokens } from './tokens.tsx'

const themeNames = { system: 'System', light: 'Light', dark: 'Dark' } as const

/** Every primitive of src/renderer/ui in every state. It's for development and isn't part of the product. */
function Gallery() {
  const theme = useTheme((state) => state.theme)
  return (
    <main className="gallery">
      <header>
        <h1>Gallery</h1>
        <Segments
          label="Theme"
          options={themes.map((id) => ({ id, name: themeNames[id] }))}
          chosen={theme}
          onPress={setTheme}
        />
      </header>
      <Tokens />
      <Controls />
      <Fields />
      <Messages />
      <Overlays />
    </main>
  )
}

const place = document.getElementById('gallery')
if (place) {
  applyTheme()
  bindSelectKeys()
  void applyLanguage().then(() =>
    createRoot(place).render(
      <StrictMode>
        <I18nProvider i18n={i18n}>
          <Gallery />
        </I18nProvider>
      </StrictMode>,
    ),
  )
}
