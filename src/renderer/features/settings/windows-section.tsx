import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { WindowView } from '../../../shared/contract/desktop.ts'
import { announce } from '../../ui/announcer.tsx'
import { AnswerOrder } from '../../ui/answer-order.ts'
import { api, inDesktop } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { asFailure } from '../../ui/failure.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatAge, formatDateMinute } from '../../ui/format/time.ts'
import listing from '../../ui/listing.module.css'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Section } from '../../ui/view.tsx'
import { useService } from '../../ui/status-store.ts'
import { useAction } from '../../ui/use-action.ts'
import { useNow } from '../../ui/use-now.ts'
import { describeBrowser } from './describe-browser.ts'
import settings from './settings-view.module.css'
import styles from './windows-section.module.css'

const REFRESH_MS = 60_000

/** Lists the browser tabs that can use Sotto, and signs them out. */
export function WindowsSection() {
  const { windows, failure, load } = useWindows()
  const list = useRef<HTMLDivElement>(null)
  const signOut = async (chosen: readonly WindowView[]) => {
    const results = await Promise.allSettled(chosen.map(({ id }) => api.windows.signOut({ id })))
    // Signing out this window ends the connection that carries the answer. Only the list shows what is still signed in.
    const left = await load()
    const failed = results.find(({ status }) => status === 'rejected')
    if (
      failed?.status === 'rejected' &&
      (!left || left.some(({ id }) => chosen.some((each) => each.id === id)))
    )
      throw failed.reason
    // The pressed button is gone together with its row.
    list.current?.focus()
    announce(t`Signed out`)
  }
  const hasOthers = windows?.some(({ current }) => !current) === true
  // Loaded again, so that a window opened since is signed out too.
  const signOutOthers = useAction(async () =>
    signOut((await api.windows.list()).filter(({ current }) => !current)),
  )
  return (
    <Section
      title={t`Browser windows`}
      description={<Trans>Browser tabs that can use Sotto. Sign out any that you don’t recognize.</Trans>}
    >
      {failure && <FailureNote failure={failure} onRetry={() => void load()} />}
      {!windows && !failure && <Skeleton label={t`Loading windows…`} />}
      {windows?.length === 0 && (
        <p className={listing.quiet}>
          <Trans>No browser windows</Trans>
        </p>
      )}
      <div ref={list} tabIndex={-1} className={styles.list}>
        {windows && windows.length > 0 && (
          <ul className={listing.list} aria-label={t`Browser windows`}>
            {windows.map((window) => (
              <WindowRow key={window.id} window={window} signOut={() => signOut([window])} />
            ))}
          </ul>
        )}
      </div>
      {signOutOthers.failure && <FailureNote failure={signOutOthers.failure} className={listing.note} />}
      {hasOthers && (
        <div className={settings.actions}>
          <Button onClick={() => void signOutOthers.run()} busy={signOutOthers.busy && t`Signing out…`}>
            {inDesktop ? <Trans>Sign out all</Trans> : <Trans>Sign out all others</Trans>}
          </Button>
        </div>
      )}
    </Section>
  )
}

function WindowRow({
  window: { browser, current, lastUsedAt, openedAt },
  signOut,
}: {
  window: WindowView
  signOut: () => Promise<void>
}) {
  const action = useAction(signOut)
  const now = useNow(REFRESH_MS)
  const id = useId()
  return (
    <li className={styles.window}>
      <div className={styles.row}>
        <div id={id} className={styles.about}>
          <p className={styles.head}>
            <strong>{describeBrowser(browser)}</strong>
            {current && (
              <span className={styles.current}>
                <Trans>This window</Trans>
              </span>
            )}
          </p>
          <p className={styles.times}>
            <Trans>Last used {formatAge(lastUsedAt, now)}</Trans> ·{' '}
            <Trans>Opened {formatDateMinute(openedAt)}</Trans>
          </p>
        </div>
        <Button onClick={() => void action.run()} busy={action.busy && t`Signing out…`} aria-describedby={id}>
          {current ? <Trans>Sign out this window</Trans> : <Trans>Sign out</Trans>}
        </Button>
      </div>
      {action.failure && <FailureNote failure={action.failure} className={listing.note} />}
    </li>
  )
}

interface Windows {
  /** Undefined until the first answer. */
  readonly windows: readonly WindowView[] | undefined
  readonly failure: Failure | undefined
  /** @returns the list; undefined if it couldn't be loaded or a later answer is already shown */
  readonly load: () => Promise<readonly WindowView[] | undefined>
}

/** The windows belong to Sotto and not to the service, but changing the service can interrupt a call: then they are loaded again. */
function useWindows(): Windows {
  const [windows, setWindows] = useState<readonly WindowView[]>()
  const [failure, setFailure] = useState<Failure>()
  const [order] = useState(() => new AnswerOrder())
  const service = useService()
  const now = useNow(REFRESH_MS)
  const load = useCallback(() => {
    const turn = order.ask()
    return api.windows.list().then(
      (found) => {
        if (!order.show(turn)) return undefined
        setWindows(found)
        setFailure(undefined)
        return found
      },
      (thrown: unknown) => {
        if (!order.isLate(turn)) setFailure(asFailure(thrown))
        return undefined
      },
    )
  }, [order])
  useEffect(() => void load(), [load, service, now])
  return { windows, failure, load }
}
