import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { LocalKeyView } from '../../../../shared/local-key.ts'
import type { ServiceKey } from '../../../../shared/service-key.ts'
import { keysQuestion } from '../../../data/listings.ts'
import { useScope } from '../../../data/service-scope.tsx'
import { setScopedState, useAnswer, useScopedState } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { go, replaceRoute, useRoute } from '../../../ui/route.ts'
import { RecordTable } from '../../../ui/record-line.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useDirect, useStatus } from '../../../ui/status-store.ts'
import { localKeys, localWatch } from '../local-api-store.ts'
import { LocalKeyAction } from '../local-keys/key-actions.tsx'
import { LocalKeyRow, type LocalKeyAct } from '../local-keys/key-row.tsx'
import { ServiceKeyAction } from '../service-keys/key-actions.tsx'
import { ServiceKeyRow, type ServiceKeyAct } from '../service-keys/key-row.tsx'
import { madeKey, revokedShown } from '../service-keys/keys-store.ts'
import { MadeKeyDialog } from '../service-keys/made-key.tsx'
import { NoKeys } from '../service-keys/no-keys.tsx'
import { keyColumns } from './key-line.tsx'
import { KeyToolbar, type KeyFilter } from './key-toolbar.tsx'
import styles from './keys-tab.module.css'
import { NewKeyDialog } from './new-key-dialog.tsx'

type ChosenAct =
  | { readonly act: LocalKeyAct; readonly localKey: LocalKeyView; readonly serviceKey?: undefined }
  | { readonly act: ServiceKeyAct; readonly serviceKey: ServiceKey; readonly localKey?: undefined }

/** Every key in one list: local keys for tools on this computer, and API keys at the service. */
export function KeysTab() {
  const scope = useScope()
  const { part } = useRoute()
  const direct = useDirect()
  const account = useStatus((state) => state.status?.account)
  const hasService = !direct && account?.connected === true && account.creditIdMasked !== undefined
  const withRevoked = useScopedState(revokedShown)
  const newKey = useScopedState(madeKey)
  const [filter, setFilter] = useState<KeyFilter>('all')
  const [chosen, setChosen] = useState<ChosenAct>()
  const local = useScopedState(localKeys)
  const { failure: localFailure } = useScopedState(localWatch)
  const service = useAnswer(hasService ? keysQuestion(withRevoked) : undefined, { keepPrevious: true })
  const serviceKeys = hasService ? service.data?.keys : undefined
  const unreadable = (hasService && service.data?.unreadable) || 0
  useEffect(() => {
    if (part !== 'revoked-keys') return
    setScopedState(scope, revokedShown, () => true)
    replaceRoute({ view: 'developer', part: 'keys' })
  }, [part, scope])
  const close = () => {
    setChosen(undefined)
    if (part !== 'keys') replaceRoute({ view: 'developer', part: 'keys' })
  }
  const showsLocal = direct || filter !== 'service'
  const showsService = !direct && filter !== 'computer'
  const locals = (showsLocal && local?.filter(({ state }) => withRevoked || state !== 'revoked')) || []
  const services = (showsService && serviceKeys) || []
  const total = (serviceKeys ?? []).reduce((sum, { spentInAll = '0' }) => sum + BigInt(spentInAll), 0n)
  const loading =
    (showsLocal && !local && !localFailure) || (showsService && service.busy && hasService && !serviceKeys)
  const creates = part === 'new-key' || (part === 'new-api-key' && (!hasService || serviceKeys !== undefined))
  return (
    <section aria-label={t`Keys`}>
      <KeyToolbar
        filter={direct ? undefined : filter}
        onFilter={setFilter}
        withRevoked={withRevoked}
        onRevoked={(on) => setScopedState(scope, revokedShown, () => on)}
        onCreate={() =>
          go({ view: 'developer', part: filter === 'service' && hasService ? 'new-api-key' : 'new-key' })
        }
      />
      {showsLocal && localFailure && <FailureNote failure={localFailure} className={styles.note} />}
      {showsService && hasService && service.failure && (
        <FailureNote failure={service.failure} className={styles.note} onRetry={service.refresh} />
      )}
      {loading && <Skeleton label={t`Loading keys…`} />}
      {locals.length + services.length > 0 && (
        <RecordTable columns={keyColumns()} className={styles.table}>
          {locals.map((localKey) => (
            <li key={`computer ${localKey.id}`}>
              <LocalKeyRow localKey={localKey} onAct={(act) => setChosen({ act, localKey })} />
            </li>
          ))}
          {services.map((serviceKey) => (
            <li key={`service ${serviceKey.id}`}>
              <ServiceKeyRow
                serviceKey={serviceKey}
                total={total}
                onAct={(act) => setChosen({ act, serviceKey })}
              />
            </li>
          ))}
        </RecordTable>
      )}
      {showsService && serviceKeys?.length === 0 && (
        <p className={styles.quiet}>
          <Trans>The service lists no keys for this account.</Trans>
        </p>
      )}
      {showsService && unreadable > 0 && (
        <p className={styles.quiet}>
          <Plural
            value={unreadable}
            one="# more key isn’t shown because Sotto doesn’t recognize its format."
            other="# more keys aren’t shown because Sotto doesn’t recognize their format."
          />
        </p>
      )}
      {showsService && serviceKeys && (
        <Button
          kind="link"
          className={styles.refresh}
          onClick={service.refresh}
          busy={service.busy && t`Loading…`}
        >
          <Trans>Refresh</Trans>
        </Button>
      )}
      {showsService && !hasService && account && <NoKeys connected={account.connected} />}
      {creates && (
        <NewKeyDialog
          key={part}
          place={part === 'new-api-key' ? 'service' : 'computer'}
          serviceKeys={serviceKeys}
          close={close}
        />
      )}
      {chosen?.localKey && <LocalKeyAction {...chosen} close={close} />}
      {chosen?.serviceKey && <ServiceKeyAction {...chosen} keys={serviceKeys ?? []} close={close} />}
      {newKey && <MadeKeyDialog newKey={newKey} done={close} />}
    </section>
  )
}
