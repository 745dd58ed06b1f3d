import './ui/style/tokens.css'
import './ui/style/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { openSession } from './ui/api.ts'
import { applyTheme } from './ui/theme.ts'

const root = document.getElementById('window')
if (root) {
  applyTheme()
  void openSession()
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
