import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import type { UpdateView } from '../../../shared/updates.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatPercent } from '../../ui/format/number.ts'
import { Moment } from '../../ui/moment.tsx'
import { Section } from '../../ui/room.tsx'
import { go } from '../../ui/route.ts'
import { useStatus } from '../../ui/status-store.ts'
import { Switch } from '../../ui/switch.tsx'
import { useAction } from '../../ui/use-action.ts'
import desktop from './desktop-section.module.css'
import { changeDesktop, loadDesktop, useDesktop } from './desktop-store.ts'
import styles from './settings-room.module.css'
import { useUpdates } from './use-updates.ts'

const QUIET_MS = 15_000

/** Which version runs here, whether a newer one is looked for, and what came of it. */
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
  const busy = check.busy || (phase !== undefined && phase !== 'idle' && phase !== 'ready')
  return (
    <Section title={t`Version and updates`} says={<Trans>This is Sotto {version}.</Trans>}>
      {updates?.support === 'no-address' && <p><Trans>This build does not look for updates: it names no place where releases are announced.</Trans></p>}
      {updates?.support === 'package' && <p><Trans>This Sotto does not look for updates: it was unpacked by hand, or runs from its sources. Get a new version where you got this one.</Trans></p>}
      {updates?.support === 'yes' && view && (
        <>
          <Switch label={t`Look for updates, once a day`} on={looks} onTurn={() => void changeDesktop({ lookForUpdates: !looks })} />
          <p className={desktop.note}><Trans>Asking tells nothing of you: no identifier, no version, no system. A new version is installed only once it is proven to be built by the project’s own release workflow, and never an older one.</Trans></p>
          <p role="status">{looks || phase === 'ready' || phase === 'installing' ? <Standing updates={updates} /> : ''}</p>
        </>
      )}
      {failure && <FailureNote failure={failure} className={styles.failure} />}
      <div className={styles.actions}>
        {phase === 'ready' && <Button kind="primary" onClick={() => void install.run()} busy={install.busy && t`Checking it once more…`}><Trans>Restart and install {offered}</Trans></Button>}
        {updates?.support === 'yes' && looks && phase !== 'ready' && <Button onClick={() => void check.run()} busy={busy && t`Looking…`}><Trans>Look now</Trans></Button>}
        <Button onClick={() => go({ room: 'settings', part: 'changes' })}><Trans>What changed</Trans></Button>
      </div>
    </Section>
  )
}

function Standing({ updates: { phase, offered, percent, waits, checkedAt, failure } }: { updates: UpdateView }) {
  const part = formatPercent((percent ?? 0) / 100)
  switch (phase) {
    case 'checking': return <Trans>Looking for a newer version…</Trans>
    case 'downloading': return <Trans>Fetching Sotto {offered}: {part}</Trans>
    case 'verifying': return <Trans>Checking who built Sotto {offered}…</Trans>
    case 'ready': return <Trans>Sotto {offered} was fetched and verified. It is installed when you say so.</Trans>
    case 'installing': return <Trans>Sotto ends now, and Sotto {offered} starts.</Trans>
    case 'idle':
  }
  if (waits) return <Trans>Sotto {offered} is handed out step by step. It comes here by itself later.</Trans>
  if (checkedAt === null || failure !== null) return null
  const last = <Moment at={checkedAt} />
  return <Trans>Nothing newer was announced when it was last looked, {last}.</Trans>
}
