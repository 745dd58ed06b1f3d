import { t } from '@lingui/core/macro'
import { Notification } from 'electron'
import type { News } from './news.ts'

interface Words { readonly title: string; readonly body: string; readonly place: string }

/** Fixed texts: what is said on a lock screen, or kept by the system, holds nothing of the user's. */
const words: Readonly<Record<News, Words>> = {
  get 'job-done'() { return { title: t`Done`, body: t`What you asked for is ready.`, place: '' } },
  get 'job-failed'() { return { title: t`Not done`, body: t`Something that you asked for has failed. See in Sotto what can be done.`, place: '' } },
  get 'job-unknown'() { return { title: t`Not known`, body: t`Nobody knows whether something that you asked for was done. Compare it in Sotto with the service’s history.`, place: '' } },
  get 'balance-low'() { return { title: t`The balance is low`, body: t`Requests may soon be refused. Top up in the Wallet.`, place: '#/wallet' } },
  get 'release-changed'() { return { title: t`The enclave runs another release`, body: t`It has proven what it runs. See in Privacy what changed.`, place: '#/privacy' } },
  get 'verification-failed'() { return { title: t`The enclave did not prove itself`, body: t`Private requests are not sent. See in Privacy which step failed.`, place: '#/privacy' } },
}

/** Held until they are gone: a collected one does not answer a click. */
const shown = new Set<Notification>()

export function canNotify(): boolean {
  return Notification.isSupported()
}

export function notify(kind: News, show: (place: string) => void): void {
  const { title, body, place } = words[kind]
  tell({ title, body }, () => show(place))
}

/** Said once: that closing the window does not end Sotto. */
export function notifyStaysInTray(show: () => void): void {
  tell({ title: t`Sotto is still running`, body: t`The local API stays up. Quit Sotto from its icon to stop it.` }, show)
}

function tell(options: { readonly title: string; readonly body: string }, clicked: () => void): void {
  if (!canNotify()) return
  const notification = new Notification(options)
  shown.add(notification)
  notification.on('click', () => {
    shown.delete(notification)
    clicked()
  })
  notification.on('close', () => shown.delete(notification))
  notification.show()
}
