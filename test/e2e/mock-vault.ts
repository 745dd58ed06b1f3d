import { usualDesktopSettings, type DesktopView } from '../../src/shared/desktop-settings.ts'
import { NO_AUTO_LOCK, type AutoLockSettings } from '../../src/shared/lock.ts'
import type { Status } from '../../src/shared/status.ts'
import type { UpdateView } from '../../src/shared/updates.ts'
import type { VaultView } from '../../src/shared/vault-view.ts'

/** What the pretended core knows of the keychain, and of recovery copies. */
export interface MockVault {
  keychain: VaultView['keychain']
  /** What it shows when it is asked anew. */
  nextKeychain: NonNullable<VaultView['keychain']>
  asked: VaultView['asked']
  /** When it locks without being asked. */
  autoLock: AutoLockSettings
  /** The text of the one copy that can be restored, and its passphrase. */
  copy: { text: string; passphrase: string }
}

export function createMockVault(): MockVault {
  return {
    keychain: 'working',
    nextKeychain: 'working',
    asked: 'auto',
    autoLock: NO_AUTO_LOCK,
    copy: { text: '{"recovery":"of the mock"}', passphrase: 'words of the copy' },
  }
}

export function vaultViewOf({
  status,
  vault,
}: {
  readonly status: Status
  readonly vault: MockVault
}): VaultView {
  const { kind, state } = status.vault
  return {
    kind,
    state,
    keychain: vault.keychain,
    asked: vault.asked,
    autoLock: state === 'open' && kind !== 'memory' ? vault.autoLock : null,
  }
}

/** A desktop that can do everything. */
export function wholeDesktop(): DesktopView {
  return { settings: usualDesktopSettings, can: { closeToTray: true, startAtLogin: true, notify: true } }
}

/** A desktop that looks for updates, and found nothing newer. */
export function quietUpdates(): UpdateView {
  return {
    version: '0.1.0',
    support: 'yes',
    phase: 'idle',
    offered: null,
    waits: false,
    percent: null,
    checkedAt: Date.UTC(2026, 1, 1, 9, 0, 0),
    failure: null,
    updatedFrom: null,
  }
}
