import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { attestationCodes } from '../../../verifier/types.ts'
import { limitOf } from '../../../shared/step-limits.ts'
import type { StepOutcome, VerdictStep } from '../../../shared/verdict.ts'
import { formatList } from '../../ui/format/list.ts'
import { fromCore, spoken } from '../../ui/language/core-sentences.ts'
import { HexValue } from '../../ui/facts.tsx'
import { groupHex, isHex } from '../../ui/format/number.ts'
import type { NumberedStep } from './step-groups.ts'
import styles from './steps.module.css'

export const outcomeWord: Readonly<Record<StepOutcome, string>> = {
  get passed() {
    return t`Passed`
  },
  get failed() {
    return t`Failed`
  },
  get 'not-checked'() {
    return t`Not checked`
  },
  get 'not-reached'() {
    return t`Not reached`
  },
}

export function countWords(steps: readonly VerdictStep[]): string {
  const countOf = (outcome: StepOutcome): number => steps.filter((step) => step.outcome === outcome).length
  const [passed, failed, notChecked, notReached] = [
    countOf('passed'),
    countOf('failed'),
    countOf('not-checked'),
    countOf('not-reached'),
  ]
  return formatList([
    passed > 0 && plural(passed, { one: '# passed', other: '# passed' }),
    failed > 0 && plural(failed, { one: '# failed', other: '# failed' }),
    notChecked > 0 && plural(notChecked, { one: '# not checked', other: '# not checked' }),
    notReached > 0 && plural(notReached, { one: '# not reached', other: '# not reached' }),
  ])
}

/** Each step shows the expected and the actual value. A failed step starts open. */
export function StepList({ steps }: { steps: readonly NumberedStep[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ step, number }) => (
        <li key={step.id} data-outcome={step.outcome} data-step={step.id}>
          <details open={step.outcome === 'failed'}>
            <summary className={styles.step}>
              <span className={styles.number}>{number}</span>
              <OutcomeGlyph outcome={step.outcome} />
              <span className={styles.title}>{fromCore(step.title)}</span>
              <span className={styles.outcome}>
                {formatList([
                  outcomeWord[step.outcome],
                  !step.required && t`optional`,
                  step.claim === true && t`claim`,
                ])}
              </span>
            </summary>
            <dl className={styles.detail}>
              <Value name={t`Expected`} copies={t`Copy expected value`} text={spoken(step.expected)} />
              <Value name={t`Observed`} copies={t`Copy observed value`} text={spoken(step.observed)} />
              {step.claim && (
                <div>
                  <dt>
                    <Trans>Claim</Trans>
                  </dt>
                  <dd>
                    <Trans>
                      This comes from the service, and no signature proves it. It can only make the check
                      fail.
                    </Trans>
                  </dd>
                </div>
              )}
              {step.code !== undefined && (
                <div>
                  <dt>
                    <Trans>Reason</Trans>
                  </dt>
                  <dd>
                    {fromCore(attestationCodes[step.code])} <code>{step.code}</code>
                  </dd>
                </div>
              )}
              <Limit step={step} />
              <div>
                <dt>
                  <Trans>Check</Trans>
                </dt>
                <dd>
                  <code>{step.id}</code>
                </dd>
              </div>
            </dl>
          </details>
        </li>
      ))}
    </ol>
  )
}

function Value({ name, copies, text }: { name: string; copies: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{isHex(text) ? <HexValue copies={copies} hex={text} /> : <HexText text={text} />}</dd>
    </div>
  )
}

/** Text with its hex values formatted as code. */
function HexText({ text }: { text: string }) {
  if (text === '') return t({ message: 'None', context: 'value' })
  return text
    .split(/\b([0-9a-f]{32,})\b/)
    .map((part, index) => (index % 2 === 1 ? <code key={index}>{groupHex(part)}</code> : part))
}

/** What a passed step doesn't cover. A failed step or one that wasn't reached covers nothing. */
function Limit({ step: { id, outcome } }: { step: VerdictStep }) {
  const limit = limitOf(id)
  if (limit === undefined || outcome === 'failed' || outcome === 'not-reached') return null
  return (
    <div>
      <dt>
        <Trans>Not covered</Trans>
      </dt>
      <dd>{fromCore(limit)}</dd>
    </div>
  )
}

/** A tick, a barred octagon, a broken ring and a point, which differ without color. */
export function OutcomeGlyph({ outcome }: { outcome: StepOutcome }) {
  return (
    <svg
      className={styles.glyph}
      data-outcome={outcome}
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      aria-hidden="true"
    >
      {outcome === 'passed' && (
        <path d="M2.5 8.5 6.2 12.2 13.5 4" strokeLinecap="round" strokeLinejoin="round" />
      )}
      {outcome === 'failed' && (
        <>
          <path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1Z" strokeLinejoin="round" />
          <path d="M4.4 8h7.2" strokeWidth="2.2" />
        </>
      )}
      {outcome === 'not-checked' && <circle cx="8" cy="8" r="5.5" strokeDasharray="2.6 2.2" />}
      {outcome === 'not-reached' && <circle cx="8" cy="8" r="1.6" fill="currentColor" stroke="none" />}
    </svg>
  )
}
