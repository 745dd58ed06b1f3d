import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { selfTestTargets, selfTestTargetSchema } from '../../../shared/self-test.ts'
import { sandboxFaults } from '../../../shared/sandbox-faults.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Section } from '../../ui/view.tsx'
import { fromCore } from '../../ui/language/core-sentences.ts'
import { SelfTestGroup } from './self-test-group.tsx'
import { startSelfTest, stopSelfTest, sumOf, useSelfTest, type Played } from './self-test-store.ts'
import styles from './attack-test.module.css'

/** Runs known attacks against this installation of Sotto, and shows the outcome of each. */
export function AttackTest() {
  const { state, attempts, current, failure } = useSelfTest()
  return (
    <Section
      title={t`Self-test`}
      description={t`Sotto tests itself against a simulated enclave on each platform. The simulation tries every attack it knows, with real signatures. The test works offline, uses none of your data, and sends nothing off this computer.`}
    >
      <div className={styles.control}>
        {state === 'running' ? (
          <Button onClick={stopSelfTest}>
            <Trans>Stop</Trans>
          </Button>
        ) : (
          <Button onClick={() => void startSelfTest()}>
            {state === 'none' ? t`Run self-test` : t`Run again`}
          </Button>
        )}
        {state === 'running' && <Progress attempts={attempts} current={current} />}
        {(state === 'ended' || state === 'stopped') && attempts.length > 0 && (
          <p className={styles.sum} data-held={attempts.every(({ result }) => result?.held !== false)}>
            {sumOf(state, attempts)}
          </p>
        )}
      </div>
      {failure && <FailureNote failure={failure} />}
      {attempts.length > 0 && (
        <div className={styles.groups}>
          {selfTestTargetSchema.options.map((platform) => (
            <SelfTestGroup
              key={platform}
              platform={platform}
              attempts={attempts.filter((each) => each.platform === platform)}
              running={attempts[current]?.platform === platform}
            />
          ))}
        </div>
      )}
    </Section>
  )
}

function Progress({ attempts, current }: { attempts: readonly Played[]; current: number }) {
  const attempt = attempts[current]
  const message =
    attempt === undefined
      ? t`Creating test roots. This takes a few seconds.`
      : `${fromCore(selfTestTargets[attempt.platform])}: ${attempt.fault === null ? t`a valid enclave, no attack` : fromCore(sandboxFaults[attempt.fault].description)}`
  return (
    <div className={styles.progress}>
      <progress aria-label={t`Self-test`} max={attempts.length || 1} value={Math.max(current, 0)} />
      <p>
        {attempt !== undefined && (
          <span className={styles.count}>
            <Trans>
              {current + 1} of {attempts.length}
            </Trans>{' '}
          </span>
        )}
        {message}
      </p>
    </div>
  )
}
