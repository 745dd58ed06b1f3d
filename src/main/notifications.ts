import { t } from '@lingui/core/macro'
import { Notification, type NotificationConstructorOptions } from 'electron'
import type { NotificationEvent } from './notification-events.ts'

interface NotificationText {
  readonly title: string
  readonly body: string
  readonly place: string
  /** The label of the button. macOS and Windows show it; a click on the notification leads to the place anyway. */
  readonly button: string
  /** Whether the button verifies the enclave instead. */
  readonly verifies?: boolean
}

/** What a notification can lead to. */
interface NotificationCommands {
  readonly show: (place: string) => void
  readonly verify: () => void
}

/** Fixed texts: a lock screen and the system's history show no content of the user. */
const texts: Readonly<Record<NotificationEvent, NotificationText>> = {
  get 'job-done'() {
    return { title: t`Done`, body: t`Your result is ready.`, place: '', button: t`Show Result` }
  },
  get 'job-failed'() {
    return {
      title: t`Not done`,
      body: t`Open Sotto to see what you can do.`,
      place: '',
      button: t`Open Sotto`,
    }
  },
  get 'job-unknown'() {
    return {
      title: t`Unknown`,
      body: t`Sotto couldn’t tell whether a request went through. Compare it with the service’s history.`,
      place: '',
      button: t`Open Sotto`,
    }
  },
  get 'balance-low'() {
    return {
      title: t`Low balance`,
      body: t`Requests may soon be refused. Add funds in Wallet.`,
      place: '#/wallet',
      button: t`Add Funds`,
    }
  },
  get 'release-changed'() {
    return {
      title: t`Enclave release changed`,
      body: t`The new release is verified. See what changed in Privacy.`,
      place: '#/privacy',
      button: t`Show Changes`,
    }
  },
  get 'verification-failed'() {
    return {
      title: t`Enclave verification failed`,
      body: t`Private requests are blocked. See which check failed in Privacy.`,
      place: '#/privacy',
      button: t`Verify Again`,
      verifies: true,
    }
  },
}

/** Referenced until they are closed, because a collected notification doesn't react to a click. */
const shown = new Set<Notification>()

export function canNotify(): boolean {
  return Notification.isSupported()
}

export function notify(kind: NotificationEvent, { show, verify }: NotificationCommands): void {
  const { title, body, place, button, verifies } = texts[kind]
  const open = (): void => show(place)
  tell({ title, body, actions: [{ type: 'button', text: button }] }, open, verifies ? verify : open)
}

/** Shown once: closing the window doesn't quit Sotto. */
export function notifyStaysInTray(show: () => void): void {
  tell(
    {
      title: t`Sotto is still running`,
      body: t`The local API keeps running. To stop it, quit Sotto from its icon.`,
    },
    show,
  )
}

function tell(
  options: NotificationConstructorOptions,
  clicked: () => void,
  pressed: () => void = clicked,
): void {
  if (!canNotify()) return
  const notification = new Notification(options)
  shown.add(notification)
  notification.on('click', () => {
    shown.delete(notification)
    clicked()
  })
  notification.on('action', () => {
    shown.delete(notification)
    pressed()
  })
  notification.on('close', () => shown.delete(notification))
  notification.show()
}
