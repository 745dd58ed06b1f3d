import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { textDirections, type Conversation } from '../../../shared/conversation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Form } from '../../ui/field.tsx'
import { draftOfParameters, ParameterFields, readParameters } from '../../ui/parameter-fields.tsx'
import { SelectField } from '../../ui/select.tsx'
import { TextAreaField } from '../../ui/text-area-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { configureConversation, NEW, useChat } from './chat-store.ts'
import { modelFor } from './choose-model.ts'

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
  const [parametersDraft, setParameters] = useState(() => draftOfParameters(parameters))
  const [direction, setDirection] = useState<string>(saved ?? '')
  const [checked, setChecked] = useState(false)
  const read = readParameters(parametersDraft)
  const save = useAction(async () => {
    await configureConversation(
      conversation?.id,
      prompt.trim(),
      read ?? parameters,
      textDirections.find((name) => name === direction),
    )
    close()
  })
  const submit = () => {
    setChecked(true)
    if (read) void save.run()
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={t`Chat settings`}
      says={t`Sent with each message in this chat, to the same recipient. Empty fields use the service’s defaults.`}
    >
      <Form onSubmit={submit}>
        <TextAreaField
          label={t`System prompt`}
          value={prompt}
          rows={5}
          maxLength={200_000}
          autoFocus
          onChange={(event) => setPrompt(event.target.value)}
        />
        <ParameterFields draft={parametersDraft} model={listed} checked={checked} onChange={setParameters} />
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
      </Form>
    </Dialog>
  )
}
