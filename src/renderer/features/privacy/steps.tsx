import { attestationCodes } from '../../../shared/attestation-codes.ts'
import { limitOf } from '../../../shared/step-limits.ts'
import type { StepOutcome, VerdictStep } from '../../../shared/verdict.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { groupHex, isHex } from '../../ui/format/number.ts'
import { Section } from '../../ui/room.tsx'
import { useVerdict } from '../../ui/verdict-store.ts'
import styles from './steps.module.css'

const outcomeWord: Readonly<Record<StepOutcome, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  'not-checked': 'Not checked',
  'not-reached': 'Not reached',
}

/** Every step of the verdict, in its order. Each opens on what was expected and what was seen; the failed one is open. */
export function Steps() {
  const steps = useVerdict((state) => state.verdict?.steps)
  if (!steps) return null
  return (
    <Section title="Every step" says={`In the order in which they were judged: ${countWords(steps)}. One required step that fails refuses the whole.`}>
      <StepList steps={steps} />
    </Section>
  )
}

function countWords(steps: readonly VerdictStep[]): string {
  return stepOutcomeOrder
    .map((outcome) => [steps.filter((step) => step.outcome === outcome).length, outcomeWord[outcome].toLowerCase()] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ')
}

const stepOutcomeOrder: readonly StepOutcome[] = ['passed', 'failed', 'not-checked', 'not-reached']

function StepList({ steps }: { steps: readonly VerdictStep[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map((step, index) => (
        <li key={step.id} data-outcome={step.outcome} data-step={step.id}>
          <details open={step.outcome === 'failed'}>
            <summary className={styles.step}>
              <span className={styles.number}>{index + 1}</span>
              <OutcomeGlyph outcome={step.outcome} />
              <span className={styles.title}>{step.title}</span>
              <span className={styles.outcome}>{outcomeWord[step.outcome]}{!step.required && ', not required'}</span>
            </summary>
            <dl className={styles.detail}>
              <Value name="Expected" text={step.expected} />
              <Value name="Observed" text={step.observed} />
              {step.code !== undefined && <div><dt>Why</dt><dd>{attestationCodes[step.code]} <code>{step.code}</code></dd></div>}
              <Limit step={step} />
              <div><dt>Step</dt><dd><code>{step.id}</code></dd></div>
            </dl>
          </details>
        </li>
      ))}
    </ol>
  )
}

function Value({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {isHex(text)
          ? <span className={styles.hex}><code>{groupHex(text)}</code><CopyButton label={`Copy what was ${name.toLowerCase()}`} text={() => text} /></span>
          : <Words text={text} />}
      </dd>
    </div>
  )
}

/** Words, and the hex among them set as code. */
function Words({ text }: { text: string }) {
  if (text === '') return 'Nothing'
  return text.split(/\b([0-9a-f]{32,})\b/).map((part, index) => (index % 2 === 1 ? <code key={index}>{groupHex(part)}</code> : part))
}

/** What a step that holds leaves open. One that was not reached leaves everything open. */
function Limit({ step: { id, outcome } }: { step: VerdictStep }) {
  const limit = limitOf(id)
  if (limit === undefined || outcome === 'failed' || outcome === 'not-reached') return null
  return <div><dt>Not proven</dt><dd>{limit}</dd></div>
}

/** A tick, a barred octagon, a broken ring, a point: told apart without colour. */
function OutcomeGlyph({ outcome }: { outcome: StepOutcome }) {
  return (
    <svg className={styles.glyph} width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.6" aria-hidden="true">
      {outcome === 'passed' && <path d="M2.5 8.5 6.2 12.2 13.5 4" strokeLinecap="round" strokeLinejoin="round" />}
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
