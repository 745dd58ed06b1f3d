import { DIAGRAM_URL } from './app-scheme.ts'
import type { Session, WebContents, WebPreferences } from 'electron'

/** Every preference that bounds what the page can reach, said even where it is Electron's default. */
export function lockedPreferences(session: Session, { devTools }: { devTools: boolean }): WebPreferences {
  return {
    session,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    plugins: false,
    navigateOnDragDrop: false,
    // alert() and its like would look like Sotto's own dialogs.
    disableDialogs: true,
    // Its dictionaries are fetched from a public address.
    spellcheck: false,
    devTools,
  }
}

/** The one page stays where it is: it opens no window, goes to no other address, and reaches the web through `openLink` alone. */
export function lockContents(contents: WebContents, openLink: (address: string) => void): void {
  contents.on('will-navigate', prevent)
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame || event.url !== DIAGRAM_URL) event.preventDefault()
  })
  contents.on('will-redirect', prevent)
  contents.on('will-attach-webview', prevent)
  contents.setWindowOpenHandler(({ url }) => {
    openLink(url)
    return { action: 'deny' }
  })
  // WebRTC's packets pass by every filter of requests.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
}

function prevent(event: { preventDefault(): void }): void {
  event.preventDefault()
}
