import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type SyntheticEvent } from 'react'
import {
  parametersSchema,
  reasoningEfforts,
  textDirections,
  type ChatParameters,
  type Conversation,
} from '../../../shared/conversation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'
import { SliderField } from '../../ui/slider-field.tsx'
import { TextAreaField } from '../../ui/text-area-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { configureConversation, NEW, useChat } from './chat-store.ts'
import { modelFor } from './choose-model.ts'

const numbers = {
  temperature: {
    get label() {
      return t`Temperature`
    },
    get fault() {
      return t`Enter a number from 0 to 2.`
    },
  },
  topP: {
    get label() {
      return t`Top P`
    },
    get fault() {
      return t`Enter a number from 0 to 1.`
    },
  },
  maxTokens: {
    get label() {
      return t`Maximum reply tokens`
    },
    get fault() {
      return t`Enter a whole number of 1 or more.`
    },
  },
} as const
type NumberName = keyof typeof numbers
const sliders = [
  { name: 'temperature', max: 2 },
  { name: 'topP', max: 1 },
] as const
const numberNames = ['temperature', 'topP', 'maxTokens'] as const satisfies readonly NumberName[]

interface SettingsDialogProps {
  /** Undefined for a conversation that doesn't exist yet. */
  conversation: Conversation | undefined
  close: () => void
}

/** The system prompt of one conversation, and the parameters that are sent with its messages. */
export function SettingsDialog({ conversation, close }: SettingsDialogProps) {
  const beginning = useChat((state) => state.beginning)
  const model = useChat((state) =>
    modelFor(state.models, state.picked[conversation?.id ?? NEW], conversation, state.conversations),
  )
  const listed = useChat((state) => state.models?.find(({ id }) => id === model))
  const { systemPrompt = '', parameters = {}, direction: saved } = conversation ?? beginning
  const [prompt, setPrompt] = useState(systemPrompt)
  const [written, setWritten] = useState<Readonly<Record<NumberName, string>>>({
    temperature: shown(parameters.temperature),
    topP: shown(parameters.topP),
    maxTokens: shown(parameters.maxTokens),
  })
  const [effort, setEffort] = useState<string>(parameters.reasoningEffort ?? '')
  const [direction, setDirection] = useState<string>(saved ?? '')
  const [checked, setChecked] = useState(false)
  const faulty = numberNames.filter((name) => numberOf(name, written[name]) === 'faulty')
  const faultOf = (name: NumberName) => (checked && faulty.includes(name) ? numbers[name].fault : undefined)
  const takesEffort = listed?.supportedParameters?.includes('reasoning_effort') === true
  const save = useAction(async () => {
    await configureConversation(
      conversation?.id,
      prompt.trim(),
      parametersOf(written, effort),
      textDirections.find((name) => name === direction),
    )
    close()
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setChecked(true)
    if (faulty.length === 0) void save.run()
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={t`Chat settings`}
      says={t`Sent with each message in this chat, to the same recipient. Empty fields use the service’s defaults.`}
    >
      <form noValidate onSubmit={submit}>
        <TextAreaField
          label={t`System prompt`}
          value={prompt}
          rows={5}
          maxLength={200_000}
          autoFocus
          onChange={(event) => setPrompt(event.target.value)}
        />
        {sliders.map(({ name, max }) => (
          <SliderField
            key={name}
            label={numbers[name].label}
            min={0}
            max={max}
            step={0.05}
            rest={1}
            unset={t`Service default`}
            value={written[name]}
            fault={faultOf(name)}
            onChange={(text) => setWritten({ ...written, [name]: text })}
          />
        ))}
        <Field
          label={numbers.maxTokens.label}
          inputMode="decimal"
          value={written.maxTokens}
          fault={faultOf('maxTokens')}
          onChange={(event) => setWritten({ ...written, maxTokens: event.target.value })}
        />
        {takesEffort ? (
          <SelectField
            label={t`Reasoning effort`}
            value={effort}
            onChange={(event) => setEffort(event.target.value)}
          >
            <option value="">{t`Service default`}</option>
            {reasoningEfforts.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </SelectField>
        ) : (
          <p>
            {listed
              ? t`The service lists no reasoning effort for ${listed.name}, so none is sent.`
              : t`The service lists no reasoning effort for this model, so none is sent.`}
          </p>
        )}
        <SelectField
          label={t`Text direction`}
          hint={t`Changes only how this chat is shown.`}
          value={direction}
          onChange={(event) => setDirection(event.target.value)}
        >
          <option value="">{t`Automatic`}</option>
          <option value="ltr">{t`Left to right`}</option>
          <option value="rtl">{t`Right to left`}</option>
        </SelectField>
        {save.failure && <FailureNote failure={save.failure} />}
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" busy={save.busy && t`Saving…`}>
            <Trans>Save</Trans>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function shown(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}

function numberOf(name: NumberName, text: string): number | undefined | 'faulty' {
  const trimmed = text.trim().replace(',', '.')
  if (trimmed === '') return undefined
  // In a whole number, a point or comma separates thousands: "4,000" would become 4.
  if (name === 'maxTokens' && trimmed.includes('.')) return 'faulty'
  const value = Number(trimmed)
  return parametersSchema.safeParse({ [name]: value }).success ? value : 'faulty'
}

function parametersOf(written: Readonly<Record<NumberName, string>>, effort: string): ChatParameters {
  const parameters: ChatParameters = {}
  for (const name of numberNames) {
    const value = numberOf(name, written[name])
    if (typeof value === 'number') parameters[name] = value
  }
  const reasoningEffort = reasoningEfforts.find((name) => name === effort)
  return { ...parameters, ...(reasoningEffort && { reasoningEffort }) }
}
