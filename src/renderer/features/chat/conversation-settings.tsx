import { useState, type SyntheticEvent } from 'react'
import { parametersSchema, reasoningEfforts, type ChatParameters, type Conversation } from '../../../shared/conversation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextAreaField } from '../../ui/text-area-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { configureConversation, NEW, useChat } from './chat-store.ts'
import { modelFor } from './choose-model.ts'

const numbers = {
  temperature: { label: 'Temperature', fault: 'A number from 0 to 2.' },
  topP: { label: 'Top P', fault: 'A number from 0 to 1.' },
  maxTokens: { label: 'Most tokens of an answer', fault: 'A whole number from 1.' },
} as const
type NumberName = keyof typeof numbers
const numberNames = ['temperature', 'topP', 'maxTokens'] as const satisfies readonly NumberName[]

interface SettingsDialogProps {
  /** Undefined: one that does not exist yet. */
  conversation: Conversation | undefined
  close: () => void
}

/** The instructions of one conversation, and what is asked of its model beside the messages. */
export function SettingsDialog({ conversation, close }: SettingsDialogProps) {
  const beginning = useChat((state) => state.beginning)
  const model = useChat((state) => modelFor(state.models, state.picked[conversation?.id ?? NEW], conversation, state.conversations))
  const listed = useChat((state) => state.models?.find(({ id }) => id === model))
  const { systemPrompt = '', parameters = {} } = conversation ?? beginning
  const [prompt, setPrompt] = useState(systemPrompt)
  const [written, setWritten] = useState<Readonly<Record<NumberName, string>>>({ temperature: shown(parameters.temperature), topP: shown(parameters.topP), maxTokens: shown(parameters.maxTokens) })
  const [effort, setEffort] = useState<string>(parameters.reasoningEffort ?? '')
  const [checked, setChecked] = useState(false)
  const faulty = numberNames.filter((name) => numberOf(name, written[name]) === 'faulty')
  const takesEffort = listed?.supportedParameters?.includes('reasoning_effort') === true
  const save = useAction(async () => {
    await configureConversation(conversation?.id, prompt.trim(), parametersOf(written, effort))
    close()
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setChecked(true)
    if (faulty.length === 0) void save.run()
  }
  return (
    <Dialog open onClose={close} kept title="Settings of this conversation" says="They go with each message of this conversation, to the same reader. What is left empty is the service’s choice.">
      <form onSubmit={submit}>
        <TextAreaField label="Instructions to the model" value={prompt} rows={5} maxLength={200_000} autoFocus onChange={(event) => setPrompt(event.target.value)} />
        {numberNames.map((name) => (
          <Field
            key={name}
            label={numbers[name].label}
            inputMode="decimal"
            value={written[name]}
            fault={checked && faulty.includes(name) ? numbers[name].fault : undefined}
            onChange={(event) => setWritten({ ...written, [name]: event.target.value })}
          />
        ))}
        {takesEffort
          ? (
            <SelectField label="Reasoning effort" value={effort} onChange={(event) => setEffort(event.target.value)}>
              <option value="">The service’s choice</option>
              {reasoningEfforts.map((name) => <option key={name} value={name}>{name}</option>)}
            </SelectField>
            )
          : <p>The listing of {listed?.name ?? 'this model'} names no reasoning effort, so none is sent.</p>}
        {save.failure && <FailureNote failure={save.failure} />}
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" busy={save.busy && 'Saving…'}>Save</Button>
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
