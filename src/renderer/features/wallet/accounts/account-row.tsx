import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { CircleCheckBig, TriangleAlert } from 'lucide-react'
import type { ServiceAccount } from '../../../../shared/service-account.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Hidden } from '../../../ui/hidden.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { useDirect, useStatus } from '../../../ui/status-store.ts'
import { MissingCredential } from '../../../ui/service/new-credentials.tsx'
import { useAction } from '../../../ui/use-action.ts'
import styles from './account-row.module.css'
import { activateAccount } from './account-store.ts'

export type AccountAct = 'rename' | 'reveal' | 'forget'

export function AccountRow({
  account,
  onAct,
}: {
  account: ServiceAccount
  onAct: (act: AccountAct) => void
}) {
  const { name, active, keyMasked, creditIdMasked, addedAt, saved } = account
  const simulated = useStatus((state) => state.status?.service.kind === 'sandbox')
  const direct = useDirect()
  const activate = useAction(() => activateAccount(account.id))
  return (
    <article className={styles.account} aria-label={name}>
      <header className={styles.head}>
        <h2 className={styles.name}>{name}</h2>
        {active && (
          <span className={styles.active}>
            <Trans>
              <CircleCheckBig size={14} strokeWidth={1.9} aria-hidden />
              Active
            </Trans>
          </span>
        )}
        <span className={styles.buttons}>
          {!active && (
            <Button kind="link" onClick={() => void activate.run()} busy={activate.busy && t`Switching…`}>
              <Trans>
                Use<Hidden> {name}</Hidden>
              </Trans>
            </Button>
          )}
          <Button kind="link" onClick={() => onAct('reveal')}>
            <Trans>
              Show credentials<Hidden> for {name}</Hidden>
            </Trans>
          </Button>
          <Button kind="link" onClick={() => onAct('rename')}>
            <Trans>
              Rename<Hidden> {name}</Hidden>
            </Trans>
          </Button>
          <Button kind="link" onClick={() => onAct('forget')}>
            <Trans>
              Remove<Hidden> {name}</Hidden>
            </Trans>
          </Button>
        </span>
      </header>
      <p className={styles.parts}>
        {keyMasked !== undefined && (
          <span>
            <Trans>
              API key <code>{keyMasked}</code>
            </Trans>
          </span>
        )}
        {creditIdMasked !== undefined && (
          <span>
            <Trans>
              Credit ID <code>{creditIdMasked}</code>
            </Trans>
          </span>
        )}
        {!direct && (
          <MissingCredential hasKey={keyMasked !== undefined} hasCreditId={creditIdMasked !== undefined} />
        )}
      </p>
      {saved || simulated ? (
        <p className={styles.quiet}>
          {saved ? (
            <Trans>
              Added <Moment at={addedAt} />; credentials also saved elsewhere
            </Trans>
          ) : (
            <Trans>
              Added <Moment at={addedAt} />
            </Trans>
          )}
        </p>
      ) : (
        <p className={styles.unsaved}>
          <TriangleAlert size={14} strokeWidth={1.9} aria-hidden />
          <span>
            <Trans>
              <strong>Only saved on this computer.</strong> Added <Moment at={addedAt} />. Save a backup, or
              write down the credentials.
            </Trans>
          </span>
        </p>
      )}
      {activate.failure && <FailureNote failure={activate.failure} />}
    </article>
  )
}
