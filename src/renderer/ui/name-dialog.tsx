import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { FailureNote } from './failure-note.tsx'
import { Field, Form } from './field.tsx'
import { useAction } from './use-action.ts'

interface NameDialogProps {
  title: string
  description: string
  label: string
  /** Most characters of the name. */
  maximum: number
  /** The name before. */
  name?: string
  /** The fault of a name as a sentence. Without it, only an empty name is faulty, and then the button is off. */
  faultOf?: (name: string) => string | undefined
  button: string
  busy: string
  /** Gets the name without spaces around it. */
  save: (name: string) => Promise<unknown>
  close: () => void
}

/** Asks for the new name of something. */
export function NameDialog({
  title,
  description,
  label,
  maximum,
  button,
  busy,
  save,
  close,
  ...props
}: NameDialogProps) {
  const [name, setName] = useState(props.name ?? '')
  const fault = props.faultOf?.(name)
  const saving = useAction(async () => {
    await save(name.trim())
    close()
  })
  return (
    <Dialog open onClose={close} title={title} says={description}>
      <Form
        onSubmit={() => {
          if (name.trim() && fault === undefined) void saving.run()
        }}
      >
        <Field
          label={label}
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={maximum}
          fault={fault}
          autoFocus
          onFocus={(event) => event.target.select()}
        />
        {saving.failure && <FailureNote failure={saving.failure} />}
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            kind="primary"
            type="submit"
            busy={saving.busy && busy}
            disabled={!props.faultOf && !name.trim()}
          >
            {button}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
