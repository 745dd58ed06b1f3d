import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ExportFormat } from '../../../shared/library/conversation-file.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Form } from '../../ui/field.tsx'
import { SavingState } from '../../ui/saving-state.tsx'
import { SelectField } from '../../ui/select.tsx'
import { useSavingChats } from './use-saving-chats.ts'

const formats: Readonly<
  Record<
    ExportFormat,
    { readonly name: string; readonly description: string; readonly ending: string; readonly type: string }
  >
> = {
  markdown: {
    name: 'Markdown',
    get description() {
      return t`The current branch, to read or continue elsewhere.`
    },
    ending: 'md',
    type: 'text/markdown;charset=utf-8',
  },
  html: {
    name: 'HTML',
    get description() {
      return t`The current branch as a web page without scripts, to read in a browser.`
    },
    ending: 'html',
    type: 'text/html;charset=utf-8',
  },
  json: {
    name: 'JSON',
    get description() {
      return t`Everything, including all branches. Sotto can import it again.`
    },
    ending: 'json',
    type: 'application/json',
  },
}

interface ExportDialogProps {
  conversationId: string | undefined
  close: () => void
}

export function ExportDialog({ conversationId, close }: ExportDialogProps) {
  const [format, setFormat] = useState<ExportFormat>('markdown')
  const { progress, failure, outcome, save, stop } = useSavingChats()
  const submit = () => {
    if (!progress)
      void save(formats[format], (signal) =>
        api.library.export({ format, ...(conversationId !== undefined && { conversationId }) }, { signal }),
      )
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent={progress !== undefined}
      title={conversationId === undefined ? t`Export all chats` : t`Export this chat`}
      says={t`The file isn’t encrypted. Anyone who has it can read it.`}
    >
      <Form onSubmit={submit}>
        <SelectField
          label={t`Format`}
          hint={formats[format].description}
          value={format}
          disabled={progress !== undefined}
          onChange={({ target: { value } }) => {
            if (isFormat(value)) setFormat(value)
          }}
        >
          {Object.entries(formats).map(([id, { name }]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SavingState label={t`Chats saved`} progress={progress} failure={failure} outcome={outcome} />
        <DialogActions>
          {progress ? (
            <Button onClick={stop}>
              <Trans>Stop</Trans>
            </Button>
          ) : (
            <Button onClick={close}>
              <Trans>Close</Trans>
            </Button>
          )}
          <Button kind="primary" type="submit" busy={progress !== undefined && t`Saving…`}>
            <Trans>Save file</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function isFormat(value: string): value is ExportFormat {
  return value in formats
}
