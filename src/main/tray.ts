import { t } from '@lingui/core/macro'
import { Menu, nativeImage, Tray, type NativeImage } from 'electron'
import { resourcePath } from '../host/application-root.ts'
import type { EnclaveStatus, AppStatus } from '../shared/app-status.ts'

interface TrayCommands {
  readonly show: (place?: string) => void
  readonly verify: () => void
  readonly serve: (on: boolean) => void
  readonly lock: () => void
  readonly quit: () => void
}

export interface TrayIcon {
  tell(status: AppStatus | null): void
}

/**
 * Each has a different shape in resources/tray: a lock in a ring, a barred octagon, an empty ring, a dash.
 */
const labels: Readonly<Record<EnclaveStatus, string>> = {
  get verified() {
    return t`Enclave verified`
  },
  get refused() {
    return t`Enclave not verified: private requests are blocked`
  },
  get 'not-verified'() {
    return t`Enclave not verified yet`
  },
  get none() {
    return t`This service has no private models`
  },
}

/** Referenced as long as Sotto runs, because a collected tray icon disappears. */
let tray: Tray | null = null

/**
 * Null if the desktop has no tray: then closing the window must quit Sotto, because there would be no other
 * way.
 */
export function showTray(commands: TrayCommands): TrayIcon | null {
  try {
    tray = new Tray(iconOf('not-verified'))
  } catch {
    return null
  }
  const icon = tray
  const tell = (status: AppStatus | null): void => {
    const enclave = status?.open === true ? status.enclave : 'not-verified'
    const state = status?.open === false ? t`Vault locked` : labels[enclave]
    const serving =
      status === null ? t`Starting…` : status.serving ? t`Local API running` : t`Local API stopped`
    icon.setImage(iconOf(enclave))
    icon.setToolTip(`Sotto: ${state} · ${serving}`)
    icon.setContextMenu(
      Menu.buildFromTemplate([
        { label: state, click: () => commands.show('#/privacy') },
        ...(status?.open === true && enclave !== 'none'
          ? [{ label: t`Verify enclave now`, click: commands.verify }]
          : []),
        { type: 'separator' },
        { label: serving, click: () => commands.show('#/developer') },
        ...(status
          ? [
              {
                label: status.serving ? t`Stop local API` : t`Start local API`,
                click: () => commands.serve(!status.serving),
              },
            ]
          : []),
        { type: 'separator' },
        ...(status?.canLock === true ? [{ label: t`Lock Sotto`, click: commands.lock }] : []),
        { label: t`Show Sotto`, click: () => commands.show() },
        { label: t`Quit Sotto`, click: commands.quit },
      ]),
    )
  }
  tell(null)
  icon.on('click', () => commands.show())
  return { tell }
}

/**
 * macOS colors a template image to match its bar; elsewhere an icon with an edge is visible on light and
 * dark bars.
 */
function iconOf(enclave: EnclaveStatus): NativeImage {
  const mac = process.platform === 'darwin'
  const image = nativeImage.createFromPath(resourcePath('tray', `${enclave}${mac ? 'Template' : ''}.png`))
  image.setTemplateImage(mac)
  return image
}
