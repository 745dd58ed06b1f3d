import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useId, useState, type KeyboardEvent, type MouseEvent } from 'react'
import type { ToolStep } from '../../../../shared/tool-call.ts'
import { api } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatExactUsd } from '../../../ui/format/money.ts'
import { useLanguage } from '../../../ui/language/language.ts'
import { useAction } from '../../../ui/use-action.ts'
import { withOrderShown } from '../text-order.tsx'
import { toolName } from './tool-names.ts'
import styles from './tool-steps.module.css'

type Decision = Parameters<typeof api.tools.decide>[0]['decision']

interface StepsProps {
  steps: readonly ToolStep[]
  /** The reply ended early. A call that waits can be decided only after the reply continues. */
  ended?: boolean
}

/** The tool calls of a reply, in order. While it is arriving, a call that needs a decision is shown whole. */
export function ToolSteps({ steps, ended = false }: StepsProps) {
  useLanguage()
  const asked = steps.filter(({ state }) => state === 'asked')
  const isNew = useJustChanged(asked.map(({ id }) => id).join(' '))
  return (
    <ol className={styles.steps} aria-label={t`Tool calls`}>
      {steps.map((step) => (
        <li key={step.id}>
          <p className={styles.step}>
            <span className={styles.name}>{withOrderShown(toolName(step))}</span>
            <span>{stateWord(step)}</span>
          </p>
          {step.state === 'asked' && step.tool && !ended && (
            <ToolQuestion step={step} tool={step.tool} always={t`Allow in this chat`} isNew={isNew} />
          )}
        </li>
      ))}
    </ol>
  )
}

/** Longer than the pause within most double presses. */
const NEW_MS = 500

/**
 * Whether the questions changed a moment ago. A press in this time may have been meant for the question before.
 * @param questions identifies the questions that are shown
 */
export function useJustChanged(questions: string): boolean {
  const [seen, setSeen] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSeen(questions), NEW_MS)
    return () => clearTimeout(timer)
  }, [questions])
  return seen !== questions
}

interface QuestionProps {
  step: ToolStep
  tool: NonNullable<ToolStep['tool']>
  /** The label of the button for this and later calls. */
  always: string
  /** It just took its place, and takes no press yet. */
  isNew: boolean
}

/** Shows a call word for word, and asks for a decision. */
export function ToolQuestion({ step, tool, always, isNew }: QuestionProps) {
  const title = useId()
  const { run, busy, failure } = useAction(async (decision: Decision) => {
    await api.tools.decide({ callId: step.id, decision })
  })
  // The later presses of a double press, and of a key that stays down, are meant for the question before.
  const decides = (decision: Decision) => ({
    waits: isNew || busy,
    onClick: ({ detail }: MouseEvent) => {
      if (detail <= 1) void run(decision)
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.repeat && event.key === 'Enter') event.preventDefault()
    },
  })
  const name = toolName(step)
  return (
    <section className={styles.question} aria-labelledby={title}>
      <h2 id={title}>{t`Call of ${name}`}</h2>
      <p>{destination(tool)}</p>
      <pre className={styles.arguments} tabIndex={0} aria-label={t`Arguments for ${name}`}>
        {withOrderShown(step.arguments.trim() === '' ? t`No arguments` : step.arguments)}
      </pre>
      <div className={styles.buttons}>
        <Button busy={busy && t`Deciding…`} {...decides('once')}>
          <Trans>Allow once</Trans>
        </Button>
        {tool.mayAlways && <Button {...decides('always')}>{always}</Button>}
        <Button kind="ghost" {...decides('refuse')}>
          <Trans>Deny call</Trans>
        </Button>
      </div>
      {failure && <FailureNote failure={failure} />}
    </section>
  )
}

/** Where the arguments go, as this computer knows it. */
function destination({ sendsTo, sourceName, host = '', image }: NonNullable<ToolStep['tool']>): string {
  switch (sendsTo) {
    case 'nowhere':
      return t`Sotto computes this on your computer. Nothing is sent.`
    case 'project':
      return t`Sotto reads documents of this project on your computer. The model gets the result.`
    case 'service':
      if (image) {
        const { model } = image
        const price = formatExactUsd(image.most)
        return t`Studio creates an image with ${model} for at most ${price}. The service and a model’s provider can read the prompt below.`
      }
      return t`The service gets the query below, unencrypted, and a model’s provider can read it too. It costs money.`
    case 'program':
      return t`The program “${sourceName}” on your computer gets the arguments below. It has no network access.`
    case 'program-with-network':
      return t`The program “${sourceName}” on your computer gets the arguments below. It can send them anywhere.`
    case 'host':
      return t`Sotto sends a request with the arguments below to ${host}. That server can read them.`
  }
}

function stateWord({ state, outcome }: ToolStep): string {
  switch (state) {
    case 'asked':
      return t`Waits for your decision`
    case 'running':
      return t`Running…`
    case 'unknown':
      return t`It isn’t known whether this call ran.`
    case 'done':
      return outcomeWord[outcome ?? 'result']
  }
}

const outcomeWord: Readonly<Record<NonNullable<ToolStep['outcome']>, string>> = {
  get result() {
    return t`Done`
  },
  get error() {
    return t`Failed`
  },
  get refused() {
    return t`You denied this call.`
  },
  get stopped() {
    return t`Stopped`
  },
}
