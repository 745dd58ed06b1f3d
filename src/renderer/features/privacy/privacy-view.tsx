import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { ServiceScope, useScope } from '../../data/service-scope.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { useStatus } from '../../ui/status-store.ts'
import { View } from '../../ui/view.tsx'
import { refreshVerdict, useVerdict } from '../../ui/verdict-store.ts'
import { AttackTest } from './attack-test.tsx'
import { ChangeLog } from './change-log.tsx'
import { Choices } from './choices.tsx'
import { FaultInjection } from './fault-injection.tsx'
import { FreshEvidence } from './fresh-evidence.tsx'
import { LastChange } from './last-change.tsx'
import { ModelEnclaves } from './model-enclaves.tsx'
import { NotProven } from './not-proven.tsx'
import { refreshPrivacy, usePrivacy } from './privacy-store.ts'
import { OtherModels } from './other-models/other-models.tsx'
import { PromptCache } from './prompt-cache.tsx'
import { Receipts } from './receipts.tsx'
import { awaitsConsent } from './release-consent.tsx'
import { Steps } from './steps.tsx'
import { TrustRoots } from './trust-roots.tsx'
import { VerdictPanel } from './verdict-panel.tsx'

/** The verification step by step, what it doesn't cover, and the outcome of recent requests. */
export function VerificationView() {
  return (
    <View
      title={t`Privacy`}
      description={t`The enclave must prove which code its hardware runs and that the encryption key is its own. Until then, nothing is sealed to it. Sotto verifies that evidence on this computer.`}
    >
      <ServiceScope>
        <Privacy />
      </ServiceScope>
    </View>
  )
}

function Privacy() {
  const scope = useScope()
  const service = useStatus((state) => state.status?.service)
  const verdict = useVerdict((state) => state.verdict)
  const { failure } = usePrivacy(true)
  useEffect(() => void refreshVerdict(), [])
  // A verdict may have added a line to the change log.
  useEffect(() => {
    if (verdict) void refreshPrivacy(scope)
  }, [scope, verdict])
  return (
    <>
      <VerdictPanel />
      {failure && <FailureNote failure={failure} />}
      {service?.hasPolicy === true && !(verdict && awaitsConsent(verdict)) && <LastChange />}
      <NotProven />
      <Steps />
      <OtherModels />
      <ModelEnclaves />
      {service?.hasPolicy === true && (
        <>
          <Choices />
          <FreshEvidence />
          <ChangeLog />
          <TrustRoots />
          <PromptCache />
        </>
      )}
      <AttackTest />
      {service?.kind === 'sandbox' && <FaultInjection />}
      <Receipts />
    </>
  )
}
