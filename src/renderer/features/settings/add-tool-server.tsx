import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type SubmitEvent } from 'react'
import { useCall } from '../../data/use-answer.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field } from '../../ui/field.tsx'
import { TextAreaField } from '../../ui/text-area-field.tsx'
import styles from './tools-section.module.css'

/** The lines of a field; each is one argument or one variable. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Variables as `NAME=value`, or the first line that isn't one. */
function variablesOf(text: string): Record<string, string> | { readonly fault: string } {
  const variables: Record<string, string> = {}
  for (const line of linesOf(text)) {
    const at = line.indexOf('=')
    if (at < 1) return { fault: line }
    variables[line.slice(0, at)] = line.slice(at + 1)
  }
  return variables
}

/** The form for a server. The core shows the program outside the page before it runs. */
export function AddToolServer({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const [name, setName] = useState('')
  const [command, setCommand] = useState('')
  const [args, setArgs] = useState('')
  const [variables, setVariables] = useState('')
  const [network, setNetwork] = useState(false)
  const [readOnly, setReadOnly] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const environment = variablesOf(variables)
  const isNamed = /^[a-z0-9][a-z0-9-]{0,19}$/.test(name)
  const adding = useCall(async (environmentVariables: Record<string, string>) => {
    await api.tools.addServer({
      name,
      command,
      args: linesOf(args),
      environment: environmentVariables,
      network,
      readOnly,
    })
    onAdded()
    onClose()
  })
  const submitted = (event: SubmitEvent) => {
    event.preventDefault()
    setChecked(true)
    if (isNamed && command !== '' && !('fault' in environment)) adding.run(environment)
  }
  return (
    <Dialog open persistent onClose={onClose} title={t`Add tool server`}>
      <form className={styles.form} onSubmit={submitted}>
        <Field
          label={t`Name`}
          value={name}
          onChange={({ target }) => setName(target.value)}
          hint={t`Up to 20 lowercase letters, digits and hyphens.`}
          fault={
            isChecked && !isNamed ? t`Enter a name of lowercase letters, digits and hyphens.` : undefined
          }
        />
        <Field
          label={t`Program`}
          value={command}
          onChange={({ target }) => setCommand(target.value)}
          hint={t`Such as node. Install the server first, because Sotto downloads nothing.`}
          fault={isChecked && command === '' ? t`Enter a program.` : undefined}
        />
        <TextAreaField
          label={t`Arguments, one per line`}
          value={args}
          rows={3}
          spellCheck={false}
          onChange={({ target }) => setArgs(target.value)}
        />
        <TextAreaField
          label={t`Environment variables, one NAME=value per line`}
          value={variables}
          rows={2}
          spellCheck={false}
          onChange={({ target }) => setVariables(target.value)}
          fault={isChecked && 'fault' in environment ? t`Write each variable as NAME=value.` : undefined}
        />
        <CheckField
          label={t`Allow network access`}
          hint={t`It could then send what it reads to any server.`}
          checked={network}
          onTick={setNetwork}
        />
        <CheckField
          label={t`It only reads on this computer`}
          hint={t`You can then always allow its tools in a chat, if it has no network access.`}
          checked={readOnly}
          onTick={setReadOnly}
        />
        {adding.failure && <FailureNote failure={adding.failure} />}
        <DialogActions>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" busy={adding.busy && t`Adding…`}>
            <Trans>Add server</Trans>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
