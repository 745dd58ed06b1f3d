import { isDue } from '../../shared/duration.ts'
import { api } from './api.ts'
import { go } from './route.ts'
import { refreshStatus, useStatus } from './status-store.ts'

/** How often a person's use of the window is reported, at most. A lock is never due sooner than a minute. */
const REPORT_MS = 20_000
const CHANNEL = 'sotto-lock'
const USES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

const savers = new Set<() => Promise<void>>()

/** Registers a function that saves unsaved input before this window locks Sotto. */
export function saveBeforeLock(save: () => Promise<void>): void {
  savers.add(save)
}

/** Locks Sotto. @throws what the call throws: vault/cannot-lock if nothing is saved */
export async function lockNow(): Promise<void> {
  await Promise.allSettled([...savers].map((save) => save()))
  await api.vault.lock()
  await refreshStatus()
}

/** Like lockNow, for places that can't show a failure: it opens Settings, which explain why Sotto can't be locked. */
export function lockFromAnywhere(): void {
  lockNow().catch(() => go({ view: 'settings' }))
}

/**
 * When Sotto is locked, this page and its other tabs reload, so that nothing that they showed stays in memory. The
 * desktop app's page can't navigate, so there the shell reloads it.
 */
export function startOverWhenLocked(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = () => {
    if (useStatus.getState().status?.vault.state === 'open') location.reload()
  }
  useStatus.subscribe(({ status }, { status: before }) => {
    if (before?.vault.state !== 'open' || status?.vault.state !== 'locked') return
    channel.postMessage('locked')
    location.reload()
  })
}

/** Reports to the core that a person uses this window, if the core locks after idle time. */
export function reportUse(): void {
  let reported = 0
  const use = (): void => {
    const { vault } = useStatus.getState().status ?? {}
    if (vault?.state !== 'open' || vault.lockAfterMinutes === undefined) return
    if (!isDue(Date.now(), reported, REPORT_MS)) return
    reported = Date.now()
    api.vault.use().catch(() => undefined)
  }
  for (const name of USES) addEventListener(name, use, { capture: true, passive: true })
}
