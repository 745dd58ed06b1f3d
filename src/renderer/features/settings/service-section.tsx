import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Status } from '../../../shared/status.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Section } from '../../ui/view.tsx'
import { chooseService, useServices } from '../../ui/service/use-services.ts'
import { setStatus, useStatus } from '../../ui/status-store.ts'
import { useAction } from '../../ui/use-action.ts'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { serviceName } from '../../ui/service/service-name.ts'
import styles from './settings-view.module.css'

/** Which service Sotto talks to. Each keeps its conversations and its account apart. */
export function ServiceSection({ service }: { service: Status['service'] }) {
  const { choices, failure, refresh } = useServices()
  const [picked, setPicked] = useState<string>()
  const selected = picked ?? service.profileId
  const change = useAction(async () => {
    await chooseService(selected)
    // Chosen here, a service that was never used needs no second welcome.
    if (useStatus.getState().status?.firstStart === true) setStatus(await api.app.begin())
  })
  return (
    <Section
      title={t`Service`}
      description={t`Each service has its own chats, receipts, and accounts. To change it, confirm in a system dialog or your terminal.`}
    >
      <Facts>
        <Fact name={t`Address`}>
          <code>{service.baseUrl}</code>
        </Fact>
        <Fact name={t`Revision`}>
          {service.revision === 'A' ? t`A (no private models)` : service.revision}
        </Fact>
        <Fact name={t`Enclave`}>
          {service.hasPolicy
            ? (service.enclaveHost ?? t`Set by the policy`)
            : t`No attestation policy (private models are blocked)`}
        </Fact>
        <Fact name={t`Trust`}>{service.trust === 'sandbox' ? t`Demo roots` : t`Built-in roots`}</Fact>
      </Facts>
      {failure && <FailureNote failure={failure} onRetry={refresh} />}
      {choices && (
        <RadioGroup
          className={styles.services}
          label={t`Service`}
          name="service"
          options={choices.map((choice) => ({
            id: choice.id,
            name: (
              <>
                {serviceName(choice)}
                {choice.id === service.profileId && (
                  <>
                    , <Trans>in use</Trans>
                  </>
                )}
                {choice.baseUrl !== undefined && (
                  <>
                    {' '}
                    <code className={styles.at}>{choice.baseUrl}</code>
                  </>
                )}
              </>
            ),
            disabled: change.busy,
          }))}
          chosen={selected}
          onChoose={setPicked}
        />
      )}
      {selected !== service.profileId && (
        <div className={styles.actions}>
          <Button kind="primary" onClick={() => void change.run()} busy={change.busy && t`Changing service…`}>
            <Trans>Change service</Trans>
          </Button>
          <Button onClick={() => setPicked(undefined)} disabled={change.busy}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
      )}
      {change.failure && <FailureNote failure={change.failure} className={styles.failure} />}
    </Section>
  )
}
