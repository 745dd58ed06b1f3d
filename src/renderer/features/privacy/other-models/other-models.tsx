import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Section } from '../../../ui/view.tsx'
import { refreshServiceEnclave, useServiceEnclave } from '../../../ui/service-enclave-store.ts'
import { EnclaveList } from '../change-log.tsx'
import { ChangeSince } from '../last-change.tsx'
import { ImageChoice } from './image-choice.tsx'
import styles from './other-models.module.css'
import { RouteChoice } from './route-choice.tsx'
import { saveServiceEnclaveProof } from './service-enclave-acts.ts'
import { ServiceEnclaveVerdict } from './service-enclave-verdict.tsx'

/** Chat with models that aren't private, if the service has an enclave of its own for it. */
export function OtherModels() {
  const view = useServiceEnclave((state) => state.view)
  const failure = useServiceEnclave((state) => state.failure)
  useEffect(() => void refreshServiceEnclave(), [])
  if (!view && !failure) return null
  return (
    <Section
      title={t`Chat with other models`}
      description={t`The service’s own enclave passes chats with non-private models on to the model’s provider. The provider can read them.`}
    >
      {failure && <FailureNote failure={failure} onRetry={() => void refreshServiceEnclave()} />}
      {view && (
        <>
          <ServiceEnclaveVerdict view={view} />
          <ChangeSince history={view.history} />
          {view.history.length > 0 && (
            <div className={styles.choice}>
              <h3 className={styles.heading}>
                <Trans>Verified images</Trans>
              </h3>
              <EnclaveList
                history={view.history}
                save={(enclaveId) => saveServiceEnclaveProof(view.host, enclaveId)}
              />
            </div>
          )}
          <RouteChoice route={view.route} />
          <ImageChoice view={view} />
        </>
      )}
    </Section>
  )
}
