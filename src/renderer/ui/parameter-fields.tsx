import { t } from '@lingui/core/macro'
import { parametersSchema, reasoningEfforts, type ChatParameters } from '../../shared/conversation.ts'
import type { Model } from '../../shared/model.ts'
import { Field } from './field.tsx'
import { SelectField } from './select.tsx'
import { SliderField } from './slider-field.tsx'

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

/** The parameters as they are written. Empty: the service chooses. */
type ParametersDraft = Readonly<Record<NumberName | 'effort', string>>

export function draftOfParameters(parameters: ChatParameters): ParametersDraft {
  return {
    temperature: shown(parameters.temperature),
    topP: shown(parameters.topP),
    maxTokens: shown(parameters.maxTokens),
    effort: parameters.reasoningEffort ?? '',
  }
}

/** Undefined if a field has a fault. */
export function readParameters(draft: ParametersDraft): ChatParameters | undefined {
  const parameters: ChatParameters = {}
  for (const name of numberNames) {
    const value = numberOf(name, draft[name])
    if (value === 'faulty') return undefined
    if (value !== undefined) parameters[name] = value
  }
  const reasoningEffort = reasoningEfforts.find((name) => name === draft.effort)
  return { ...parameters, ...(reasoningEffort && { reasoningEffort }) }
}

interface ParameterFieldsProps {
  draft: ParametersDraft
  /** Undefined if none is chosen, or if it isn't listed. */
  model: Model | undefined
  /** Whether faults are shown. */
  checked: boolean
  onChange: (draft: ParametersDraft) => void
}

/** The parameters that are sent with messages. */
export function ParameterFields({ draft, model, checked, onChange }: ParameterFieldsProps) {
  const faultOf = (name: NumberName) =>
    checked && numberOf(name, draft[name]) === 'faulty' ? numbers[name].fault : undefined
  const takesEffort = model?.supportedParameters?.includes('reasoning_effort') === true
  return (
    <>
      {sliders.map(({ name, max }) => (
        <SliderField
          key={name}
          label={numbers[name].label}
          min={0}
          max={max}
          step={0.05}
          rest={1}
          unset={t`Service default`}
          value={draft[name]}
          fault={faultOf(name)}
          onChange={(text) => onChange({ ...draft, [name]: text })}
        />
      ))}
      <Field
        label={numbers.maxTokens.label}
        inputMode="decimal"
        value={draft.maxTokens}
        fault={faultOf('maxTokens')}
        onChange={(event) => onChange({ ...draft, maxTokens: event.target.value })}
      />
      {takesEffort ? (
        <SelectField
          label={t`Reasoning effort`}
          value={draft.effort}
          onChange={(event) => onChange({ ...draft, effort: event.target.value })}
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
          {model
            ? t`The service lists no reasoning effort for ${model.name}, so none is sent.`
            : t`The service lists no reasoning effort for this model, so none is sent.`}
        </p>
      )}
    </>
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
