import { usualDesktopSettings, type DesktopView } from '../../src/shared/desktop-settings.ts'
import { NO_AUTO_LOCK, type AutoLockSettings } from '../../src/shared/lock.ts'
import type { Status } from '../../src/shared/status.ts'
import type { UpdateView } from '../../src/shared/updates.ts'
import type { VaultView } from '../../src/shared/vault-view.ts'

/** Keychain and recovery copies of the mock core. */
export interface MockVault {
  keychain: VaultView['keychain']
  /** The state after the next check of the keychain. */
  nextKeychain: NonNullable<VaultView['keychain']>
  asked: VaultView['asked']
  /** When the vault locks automatically. */
  autoLock: AutoLockSettings
  /** The text and the passphrase of the only copy that can be restored. */
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

/** A desktop with all abilities. */
export function wholeDesktop(): DesktopView {
  return { settings: usualDesktopSettings, can: { closeToTray: true, startAtLogin: true, notify: true } }
}

/** A desktop that checks for updates and found none. */
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
