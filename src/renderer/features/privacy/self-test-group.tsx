import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { selfTestTargets, type SelfTestRefusal, type SelfTestTarget } from '../../../shared/self-test.ts'
import { sandboxFaults } from '../../../shared/sandbox-faults.ts'
import { PrivacyGlyph } from '../../ui/privacy-mark.tsx'
import { fromCore } from '../../ui/language/core-sentences.ts'
import { heldIn, type Played } from './self-test-store.ts'
import styles from './attack-test.module.css'

interface SelfTestGroupProps {
  platform: SelfTestTarget
  attempts: readonly Played[]
  running: boolean
}

/** The attempts on one platform. The group is open if an attempt failed. */
export function SelfTestGroup({ platform, attempts, running }: SelfTestGroupProps) {
  const played = attempts.filter(({ result }) => result).length
  const passedCount = heldIn(attempts)
  const failed = played - passedCount
  return (
    <details className={styles.group} open={failed > 0 || undefined} data-platform={platform}>
      <summary>
        <span className={styles.platform}>{fromCore(selfTestTargets[platform])}</span>
        <span className={styles.tally}>
          {failed > 0 ? (
            <strong>
              <Trans>{failed} failed</Trans>
            </strong>
          ) : played < attempts.length ? (
            running ? (
              t`${played} of ${attempts.length}, running`
            ) : (
              t`${played} of ${attempts.length}`
            )
          ) : (
            t`all ${played} passed`
          )}
        </span>
      </summary>
      <ul className={styles.attempts}>
        {attempts.map((attempt) => (
          <AttemptRow key={attempt.fault ?? 'control'} attempt={attempt} />
        ))}
      </ul>
    </details>
  )
}

function AttemptRow({ attempt: { platform, fault, result } }: { attempt: Played }) {
  return (
    <li data-fault={fault ?? 'control'} data-held={result?.held}>
      <span className={styles.glyph}>
        {result?.held && (
          <PrivacyGlyph
            privacy={
              result.received.bodyBytes === 0
                ? 'refused'
                : platform === 'service-enclave'
                  ? 'relayed'
                  : 'sealed'
            }
          />
        )}
        {result?.held === false && <AlarmGlyph />}
      </span>
      <div>
        <p className={styles.attempted}>
          {fault === null
            ? t`No attack: the enclave is valid, so the request must succeed.`
            : fromCore(sandboxFaults[fault].description)}
        </p>
        {result && <Outcome result={result} />}
      </div>
    </li>
  )
}

/** The outcome of an attempt: the step and code of the refusal, and the requests that the sandbox received. */
function Outcome({
  result: { held, refusal, expected, received },
}: {
  result: NonNullable<Played['result']>
}) {
  return (
    <>
      <p className={styles.outcome}>
        {refusal === null ? (
          <>
            <Trans>Answered.</Trans>{' '}
          </>
        ) : refusal.step ? (
          <>
            <Trans>Blocked at “{fromCore(refusal.step.title)}”.</Trans>{' '}
          </>
        ) : (
          <>{fromCore(refusal.says)} </>
        )}
        {received.bodyBytes === 0
          ? t`Nothing was sent: 0 bytes were received.`
          : received.sealed
            ? plural(received.bodyBytes, {
                one: '# byte was received, sealed to the verified key.',
                other: '# bytes were received, all sealed to the verified key.',
              })
            : plural(received.bodyBytes, {
                one: '# byte was received, not sealed.',
                other: '# bytes were received, not all of them sealed.',
              })}
        {refusal && <code>{codesOf(refusal)}</code>}
      </p>
      {!held && (
        <p className={styles.alarm}>
          <Trans>This test failed.</Trans>{' '}
          {expected === null ? (
            t`The request should have succeeded.`
          ) : (
            <Trans>
              It should have been blocked with <code>{expected}</code>.
            </Trans>
          )}{' '}
          <Trans>Don’t use private models on this computer until you know the cause.</Trans>
        </p>
      )}
    </>
  )
}

/** The step, and its code if that differs. */
function codesOf({ code, step }: SelfTestRefusal): string {
  if (!step) return code
  return step.id === step.code ? step.code : `${step.id}: ${step.code}`
}

/** A triangle with a bar, unlike the shapes of the privacy states. */
function AlarmGlyph() {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      aria-hidden="true"
    >
      <path d="M8 1.8 15 14H1Z" strokeLinejoin="round" />
      <path d="M8 6.2v3.6M8 11.4v.6" strokeLinecap="round" />
    </svg>
  )
}
