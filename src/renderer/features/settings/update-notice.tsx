import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { go } from '../../ui/route.ts'
import notices from '../../ui/shell/notices.module.css'
import { useUpdates } from './use-updates.ts'

const QUIET_MS = 60_000

/**
 * A notice in every view of the desktop's window: that this is a new version, or that an update is ready to
 * install.
 */
export function UpdateNotice() {
  const { updates, show } = useUpdates(QUIET_MS)
  const [later, setLater] = useState<string | null>(null)
  if (!updates) return null
  const { version, updatedFrom, phase, offered } = updates
  if (phase === 'ready' && offered !== later) {
    return (
      <div className={notices.notice} role="status">
        <p>
          <Trans>Sotto {offered} was downloaded and verified.</Trans>
        </p>
        <span className={notices.actions}>
          <Button kind="link" onClick={() => go({ view: 'settings' })}>
            <Trans>Install in Settings</Trans>
          </Button>
          <Button kind="link" onClick={() => setLater(offered)}>
            <Trans>Not now</Trans>
          </Button>
        </span>
      </div>
    )
  }
  if (updatedFrom === null) return null
  return (
    <div className={notices.notice} role="status">
      <p>
        <Trans>
          Sotto was updated from {updatedFrom} to {version}.
        </Trans>
      </p>
      <span className={notices.actions}>
        <Button
          kind="link"
          onClick={() => {
            show({ ...updates, updatedFrom: null })
            go({ view: 'settings', part: 'changes' })
          }}
        >
          <Trans>See what’s new</Trans>
        </Button>
        <Button kind="link" onClick={() => void api.desktop.changesSeen().then(show, () => undefined)}>
          <Trans>Got it</Trans>
        </Button>
      </span>
    </div>
  )
}
