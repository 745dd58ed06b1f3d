import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { ServiceScope, useScope } from '../../data/service-scope.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { useStatus } from '../../ui/status-store.ts'
import { View } from '../../ui/view.tsx'
import { ViewTabs, type ViewTab } from '../../ui/view-tabs.tsx'
import { refreshVerdict, useVerdict } from '../../ui/verdict-store.ts'
import { AttackTest } from './attack-test.tsx'
import { ChangeLog } from './change-log.tsx'
import { Checks } from './checks.tsx'
import { Choices } from './choices.tsx'
import { FaultInjection } from './fault-injection.tsx'
import { FreshEvidence } from './fresh-evidence.tsx'
import { LastChange } from './last-change.tsx'
import { ModelEnclaves } from './model-enclaves.tsx'
import { NotProven } from './not-proven.tsx'
import { refreshPrivacy, usePrivacy } from './privacy-store.ts'
import styles from './privacy-view.module.css'
import { OtherModels } from './other-models/other-models.tsx'
import { PromptCache } from './prompt-cache.tsx'
import { Receipts } from './receipts.tsx'
import { consentWords } from './release-words.ts'
import { TrustRoots } from './trust-roots.tsx'
import { VerdictPanel } from './verdict-panel.tsx'

/** The verification step by step, what it doesn't cover, and the outcome of recent requests. */
export function VerificationView() {
  return (
    <View title={t`Privacy`} wide>
      <ServiceScope>
        <Report />
      </ServiceScope>
    </View>
  )
}

function Report() {
  const scope = useScope()
  const hasPolicy = useStatus((state) => state.status?.service.hasPolicy === true)
  const verdict = useVerdict((state) => state.verdict)
  const { failure } = usePrivacy(true)
  useEffect(() => void refreshVerdict(), [])
  // A verdict may have added a line to the change log.
  useEffect(() => {
    if (verdict) void refreshPrivacy(scope)
  }, [scope, verdict])
  const tabs: readonly [ViewTab, ...ViewTab[]] = [
    { id: 'verdict', name: t`Verdict`, Tab: Verdict },
    { id: 'evidence', name: t`Evidence`, Tab: Evidence },
    ...(hasPolicy
      ? [
          { id: 'requirements', name: t`Requirements`, Tab: Requirements },
          { id: 'history', name: t`Change log`, Tab: History },
        ]
      : []),
    { id: 'receipts', name: t`Receipts`, Tab: Requests },
    { id: 'self-test', name: t`Self-test`, Tab: SelfTest },
  ]
  return (
    <>
      {failure && <FailureNote failure={failure} className={styles.failure} />}
      <ViewTabs view="privacy" label={t`Privacy sections`} tabs={tabs} />
    </>
  )
}

function Verdict() {
  const hasPolicy = useStatus((state) => state.status?.service.hasPolicy === true)
  const verdict = useVerdict((state) => state.verdict)
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <p className={styles.intro}>
          {t`The enclave must prove which code its hardware runs and that the encryption key is its own. Until then, nothing is sealed to it. Sotto verifies that evidence on this computer.`}
        </p>
        <VerdictPanel />
        {hasPolicy && !consentWords(verdict) && <LastChange />}
        <OtherModels />
        <ModelEnclaves />
      </div>
      <div className={styles.aside}>
        <NotProven />
      </div>
    </div>
  )
}

function Evidence() {
  const hasPolicy = useStatus((state) => state.status?.service.hasPolicy === true)
  return (
    <div className={styles.tab}>
      <Checks />
      {hasPolicy && <TrustRoots />}
    </div>
  )
}

function History() {
  return (
    <div className={styles.form}>
      <ChangeLog />
    </div>
  )
}

function Requests() {
  return (
    <div className={styles.form}>
      <Receipts />
    </div>
  )
}

function Requirements() {
  return (
    <div className={styles.form}>
      <Choices />
      <FreshEvidence />
      <PromptCache />
    </div>
  )
}

function SelfTest() {
  const isSandbox = useStatus((state) => state.status?.service.kind === 'sandbox')
  return (
    <div className={styles.form}>
      <AttackTest />
      {isSandbox && <FaultInjection />}
    </div>
  )
}
