import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Status } from '../../../shared/status.ts'
import type { Verdict } from '../../../shared/verdict.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatAge } from '../../ui/format/time.ts'
import { useStatus } from '../../ui/status-store.ts'
import { useNow } from '../../ui/use-now.ts'
import { hasAcceptedFloor, verdictState, type VerdictState } from '../../ui/verdict-state.ts'
import { useVerdict, verifyNow } from '../../ui/verdict-store.ts'
import { fromCore } from '../../ui/language/core-sentences.ts'
import { saveProof } from './privacy-store.ts'
import { ApproveRelease, ReleaseChanges } from './release-consent.tsx'
import { consentWords } from './release-words.ts'
import { numberSteps } from './step-groups.ts'
import { StepList } from './steps.tsx'
import { serviceName } from '../../ui/service/service-name.ts'
import { Evidence } from './verdict-facts.tsx'
import { VerdictFrame } from './verdict-frame.tsx'
import styles from './verdict-panel.module.css'

const rootsWord: Readonly<Record<Verdict['trust'], string>> = {
  get 'built-in'() {
    return t`the built-in roots of the hardware vendor and the release log`
  },
  get sandbox() {
    return t`the demo roots, which prove nothing about real hardware`
  },
}

/** The headline of the verdict, and then the reasons for it. */
export function VerdictPanel() {
  const { verdict, verifying, failure } = useVerdict((state) => state)
  const service = useStatus((state) => state.status?.service)
  const now = useNow(1000)
  const status = verdictState(verdict, now)
  const consent = consentWords(verdict)
  if (service?.hasPolicy === false) return <NoPolicy service={service} />
  return (
    <>
      <VerdictFrame
        label={t`Verification`}
        status={status}
        privacy="sealed"
        action={
          <div className={styles.actions}>
            {verdict && <ApproveRelease verdict={verdict} />}
            <Button
              kind={status === 'verified' || consent?.isDowngrade === false ? 'secondary' : 'primary'}
              onClick={() => void verifyNow()}
              busy={verifying && t`Verifying…`}
            >
              {verdict ? t`Verify again` : t`Verify now`}
            </Button>
          </div>
        }
      >
        <p>{sentence(status, verdict ?? undefined, service, now)}</p>
        {hasAcceptedFloor(verdict) && (
          <p className={styles.weaker}>
            <Trans>Accepted floor below AMD-SB-3019.</Trans>
          </p>
        )}
      </VerdictFrame>
      {failure && <FailureNote failure={failure} className={styles.failure} />}
      {verdict && <FailedChecks verdict={verdict} />}
      {verdict && consent && <ReleaseChanges verdict={verdict} />}
      {verdict && (
        <section aria-label={t`Evidence`}>
          <Evidence
            verdict={verdict}
            now={now}
            about={
              <Trans>
                One file with the original evidence. Anyone can verify it offline with{' '}
                <code>sotto verify FILE</code>. It contains none of your messages or keys.
              </Trans>
            }
            save={() => saveProof()}
          />
        </section>
      )}
    </>
  )
}

/** The reason for a failed verdict. The checks after it weren't reached. */
function FailedChecks({ verdict }: { verdict: Verdict }) {
  const failed = numberSteps(verdict.steps).filter(({ step }) => step.outcome === 'failed')
  if (failed.length === 0) return null
  return (
    <section className={styles.failed} aria-label={t`Failed checks`}>
      {consentWords(verdict) ? (
        <details>
          <summary>
            <Trans>Details</Trans>
          </summary>
          <StepList steps={failed} />
        </details>
      ) : (
        <StepList steps={failed} />
      )}
    </section>
  )
}

function sentence(
  status: VerdictState,
  verdict: Verdict | undefined,
  service: Status['service'] | undefined,
  now: number,
): string {
  switch (status) {
    case 'verified':
      return provenWords(verdict?.enclaveHost, rootsWord[verdict?.trust ?? 'built-in'])
    case 'refused':
      return (
        consentWords(verdict)?.says ??
        `${verdict?.failure ? fromCore(verdict.failure.says) : t`The enclave failed verification.`} ${t`Nothing is sent to private models until verification succeeds.`}`
      )
    case 'ended':
      return endedWords(verdict ? formatAge(verdict.validUntil, now) : t`a while ago`)
    case 'none':
      return firstWords(service?.enclaveHost)
  }
}

function provenWords(host: string | undefined, roots: string): string {
  return host === undefined
    ? t`The enclave was verified against ${roots}.`
    : t`${host} was verified against ${roots}.`
}

function endedWords(ago: string): string {
  return t`The last verification passed and expired ${ago}. Sotto verifies the enclave again before the next private request.`
}

function firstWords(host: string | undefined): string {
  return host === undefined
    ? t`Sotto verifies the enclave automatically before the first private request. You can also verify it now.`
    : t`Sotto verifies ${host} automatically before the first private request. You can also verify it now.`
}

function NoPolicy({ service }: { service: Status['service'] }) {
  return (
    <VerdictFrame label={t`Verification`} status="refused" privacy="sealed">
      <p>
        <Trans>
          There’s no attestation policy for {serviceName(service)}, so Sotto can’t verify its enclave and
          private models are blocked. Choose a service with a policy in Settings.
        </Trans>
      </p>
    </VerdictFrame>
  )
}
