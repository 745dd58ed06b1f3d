import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMemo, useState, type KeyboardEvent } from 'react'
import {
  filledBeforehand,
  fillPrompt,
  parsePrompt,
  variablesOf,
  type PromptVariable,
} from '../../../../shared/prompt-template.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { usePrompts, type Filling } from './prompt-store.ts'

const close = () => usePrompts.setState({ filling: undefined })

/** Asks for the variables of a prompt, and shows the resulting text before it is used. */
export function VariableForm({ name, text, insert }: Filling) {
  const parts = useMemo(() => parsePrompt(text), [text])
  const variables = useMemo(() => variablesOf(parts), [parts])
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(variables.map((variable) => [variable.name, filledBeforehand(variable)])),
  )
  const submit = () => {
    close()
    insert(fillPrompt(parts, values))
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || (!event.ctrlKey && !event.metaKey)) return
    event.preventDefault()
    submit()
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={name}
      says={t`Your values are inserted into the message, which isn’t sent yet.`}
    >
      <Form onSubmit={submit} onKeyDown={pressed}>
        {variables.map((variable, at) => (
          <VariableField
            key={variable.name}
            variable={variable}
            first={at === 0}
            value={values[variable.name] ?? ''}
            setValue={(value) => setValues((before) => ({ ...before, [variable.name]: value }))}
          />
        ))}
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" title={t`Ctrl+Enter`}>
            <Trans>Insert</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function VariableField({
  variable: { name, choices },
  first,
  value,
  setValue,
}: {
  variable: PromptVariable
  first: boolean
  value: string
  setValue: (value: string) => void
}) {
  if (choices) {
    return (
      <SelectField
        label={name}
        value={value}
        autoFocus={first}
        onChange={(event) => setValue(event.target.value)}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </SelectField>
    )
  }
  return (
    <TextAreaField
      label={name}
      value={value}
      rows={2}
      autoFocus={first}
      onChange={(event) => setValue(event.target.value)}
      onFocus={(event) => event.target.select()}
    />
  )
}
