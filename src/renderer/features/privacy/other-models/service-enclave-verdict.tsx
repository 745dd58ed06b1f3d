import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ServiceEnclaveView } from '../../../../shared/chat-route.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatAge } from '../../../ui/format/time.ts'
import { fromCore } from '../../../ui/language/core-sentences.ts'
import { useAction } from '../../../ui/use-action.ts'
import { useNow } from '../../../ui/use-now.ts'
import { verdictState, type VerdictState } from '../../../ui/verdict-state.ts'
import { numberSteps } from '../step-groups.ts'
import { countWords, StepList } from '../steps.tsx'
import { Evidence } from '../verdict-facts.tsx'
import { VerdictFrame } from '../verdict-frame.tsx'
import { Approval } from './approval.tsx'
import styles from './other-models.module.css'
import { saveServiceEnclaveProof, verifyServiceEnclave } from './service-enclave-acts.ts'

/** The verdict on the service's own enclave. The same parts as for the private one, without its color or its words. */
export function ServiceEnclaveVerdict({ view }: { view: ServiceEnclaveView }) {
  const { verdict, route } = view
  const now = useNow(1000)
  const status = verdictState(verdict, now)
  const verifying = useAction(verifyServiceEnclave)
  const counts = countWords(verdict?.steps ?? [])
  return (
    <>
      <VerdictFrame
        label={t`Verification of the service’s enclave`}
        status={status}
        privacy="relayed"
        isVisible={route !== 'relayed'}
        level="h3"
        action={
          <Button onClick={() => void verifying.run()} busy={verifying.busy && t`Verifying…`}>
            {verdict ? t`Verify again` : t`Verify now`}
          </Button>
        }
      >
        <p>{sentence(status, view, now)}</p>
      </VerdictFrame>
      {verifying.failure && <FailureNote failure={verifying.failure} className={styles.failure} />}
      <Approval view={view} />
      {verdict && (
        <details className={styles.evidence}>
          <summary>{t`Evidence and checks: ${counts}`}</summary>
          <Evidence
            verdict={verdict}
            now={now}
            about={
              <Trans>
                One file with the original evidence and this verdict. It contains none of your messages or
                keys.
              </Trans>
            }
            save={() => saveServiceEnclaveProof(view.host)}
          >
            <h4 className={styles.heading}>
              <Trans>Checks</Trans>
            </h4>
            <StepList steps={numberSteps(verdict.steps)} />
          </Evidence>
        </details>
      )}
    </>
  )
}

function sentence(status: VerdictState, { host, route, verdict }: ServiceEnclaveView, now: number): string {
  if (route === 'forwarded')
    return t`You chose to send these chats visibly, so this enclave isn’t used. The service and the model’s provider can read them.`
  switch (status) {
    case 'verified':
      return t`${host} was verified. The service can’t read these chats; the model’s provider can.`
    case 'refused': {
      const message = verdict?.failure ? fromCore(verdict.failure.says) : t`The enclave failed verification.`
      return `${message} ${route === 'relayed' ? t`Nothing is sent to these models until verification succeeds.` : t`Until verification succeeds, the service can read these chats too.`}`
    }
    case 'ended': {
      const ago = verdict ? formatAge(verdict.validUntil, now) : t`a while ago`
      return t`The last verification passed and expired ${ago}. Sotto verifies the enclave again before the next of these chats.`
    }
    case 'none':
      return t`Sotto verifies ${host} automatically before the first of these chats. You can also verify it now.`
  }
}
