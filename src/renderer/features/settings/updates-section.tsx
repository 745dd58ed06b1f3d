import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import type { UpdateView } from '../../../shared/updates.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatPercent } from '../../ui/format/number.ts'
import { Moment } from '../../ui/moment.tsx'
import { Section } from '../../ui/view.tsx'
import { go } from '../../ui/route.ts'
import { useStatus } from '../../ui/status-store.ts'
import { Switch } from '../../ui/switch.tsx'
import { useAction } from '../../ui/use-action.ts'
import desktop from './desktop-section.module.css'
import { changeDesktop, loadDesktop, useDesktop } from './desktop-store.ts'
import styles from './settings-view.module.css'
import { useUpdates } from './use-updates.ts'

const QUIET_MS = 15_000

/** The running version, whether Sotto checks for updates, and the result of the last check. */
export function UpdatesSection() {
  const version = useStatus((state) => state.status?.version) ?? ''
  const { updates, show } = useUpdates(QUIET_MS)
  const { view } = useDesktop()
  useEffect(() => void loadDesktop(), [])
  const check = useAction(async () => show(await api.desktop.checkForUpdate()))
  const install = useAction(async () => show(await api.desktop.installUpdate()))
  const looks = view?.settings.lookForUpdates === true
  const failure = check.failure ?? install.failure ?? updates?.failure
  const offered = updates?.offered ?? ''
  const phase = updates?.phase
  const checking = check.busy || phase === 'checking'
  return (
    <Section title={t`Version and updates`} description={<Trans>You’re using Sotto {version}.</Trans>}>
      {updates?.support === 'no-address' && (
        <p>
          <Trans>This build doesn’t check for updates because it has no update server.</Trans>
        </p>
      )}
      {updates?.support === 'package' && (
        <p>
          <Trans>
            This copy of Sotto doesn’t check for updates. It was unpacked manually or runs from source. Get
            new versions where you got this one.
          </Trans>
        </p>
      )}
      {updates?.support === 'yes' && view && (
        <>
          <Switch
            label={t`Check for updates daily`}
            on={looks}
            onTurn={() => void changeDesktop({ lookForUpdates: !looks })}
          />
          <p className={desktop.note}>
            <Trans>
              Update checks send nothing about you: no identifier, version, or operating system. Sotto
              installs a new version only after verifying that the project’s own release workflow built it. It
              never installs an older version.
            </Trans>
          </p>
          <p className={styles.state} role="status">
            {looks || phase === 'ready' || phase === 'installing' ? <UpdateStatus updates={updates} /> : ''}
          </p>
        </>
      )}
      {failure && <FailureNote failure={failure} className={styles.failure} />}
      <div className={styles.actions}>
        {phase === 'ready' && (
          <Button
            kind="primary"
            onClick={() => void install.run()}
            busy={install.busy && t`Verifying again…`}
          >
            <Trans>Restart and install {offered}</Trans>
          </Button>
        )}
        {updates?.support === 'yes' && looks && (phase === 'idle' || checking) && (
          <Button onClick={() => void check.run()} busy={checking && t`Checking…`}>
            <Trans>Check now</Trans>
          </Button>
        )}
        <Button onClick={() => go({ view: 'settings', part: 'changes' })}>
          <Trans>What’s new</Trans>
        </Button>
      </div>
    </Section>
  )
}

function UpdateStatus({
  updates: { phase, offered, percent, waits, checkedAt, failure },
}: {
  updates: UpdateView
}) {
  const part = formatPercent((percent ?? 0) / 100)
  switch (phase) {
    case 'checking':
      return <Trans>Checking for updates…</Trans>
    case 'downloading':
      return (
        <Trans>
          Downloading Sotto {offered}: {part}
        </Trans>
      )
    case 'verifying':
      return <Trans>Verifying who built Sotto {offered}…</Trans>
    case 'ready':
      return <Trans>Sotto {offered} was downloaded and verified. Install it whenever you’re ready.</Trans>
    case 'installing':
      return <Trans>Sotto is quitting, and Sotto {offered} starts next.</Trans>
    case 'idle':
  }
  if (waits) return <Trans>Sotto {offered} is rolling out gradually. You’ll get it automatically.</Trans>
  if (checkedAt === null || failure !== null) return null
  const last = <Moment at={checkedAt} />
  return <Trans>No updates found. Last checked: {last}.</Trans>
}
