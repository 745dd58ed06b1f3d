import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field, Form } from '../../ui/field.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { TextAreaField } from '../../ui/text-area-field.tsx'
import { useAction } from '../../ui/use-action.ts'

/** The lines of a field; each is one argument or one variable. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

type Variables =
  | { readonly variables: Record<string, string>; readonly fault?: undefined }
  | { readonly variables?: undefined; readonly fault: string }

/** Variables as `NAME=value`, or the first line that isn't one. */
function variablesOf(text: string): Variables {
  const variables: Record<string, string> = {}
  for (const line of linesOf(text)) {
    const at = line.indexOf('=')
    if (at < 1) return { fault: line }
    variables[line.slice(0, at)] = line.slice(at + 1)
  }
  return { variables }
}

type Place = 'program' | 'address'

/** The form for a server. The core shows the program or the host outside the page before it's used. */
export function AddToolServer({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const [place, setPlace] = useState<Place>('program')
  const [name, setName] = useState('')
  const [address, setAddress] = useState('')
  const [program, setProgram] = useState<ProgramDraft>(NO_PROGRAM)
  const [isChecked, setChecked] = useState(false)
  const { variables: environment } = variablesOf(program.variables)
  const isNamed = /^[a-z0-9][a-z0-9-]{0,19}$/.test(name)
  const adding = useAction(async (added: Parameters<typeof api.tools.addServer>[0]) => {
    await api.tools.addServer(added)
    onAdded()
    onClose()
  })
  const submitted = () => {
    setChecked(true)
    if (!isNamed) return
    if (place === 'address') {
      if (URL.canParse(address.trim())) void adding.run({ name, address: address.trim() })
    } else if (program.command !== '' && environment) {
      const { command, args, network, readOnly } = program
      void adding.run({ name, command, args: linesOf(args), environment, network, readOnly })
    }
  }
  return (
    <Dialog open persistent onClose={onClose} title={t`Add tool server`}>
      <Form onSubmit={submitted}>
        <RadioGroup<Place>
          label={t`Place of the server`}
          name="tool-server-place"
          segmented
          options={[
            { id: 'program', name: t`This computer` },
            { id: 'address', name: t`Address` },
          ]}
          chosen={place}
          onChoose={setPlace}
        />
        <Field
          label={t`Name`}
          value={name}
          onChange={({ target }) => setName(target.value)}
          hint={isChecked && !isNamed ? undefined : t`Up to 20 lowercase letters, digits, and hyphens.`}
          fault={
            isChecked && !isNamed
              ? t`Use up to 20 lowercase letters, digits, and hyphens. Don’t start with a hyphen.`
              : undefined
          }
        />
        {place === 'program' ? (
          <ProgramFields draft={program} onChange={setProgram} isChecked={isChecked} />
        ) : (
          <Field
            label={t`Address`}
            type="url"
            dir="ltr"
            value={address}
            spellCheck={false}
            onChange={({ target }) => setAddress(target.value)}
            hint={t`It starts with https://. What the server’s tools get leaves this computer, and you decide about each call.`}
            fault={isChecked && !URL.canParse(address.trim()) ? t`Enter an address.` : undefined}
          />
        )}
        {adding.failure && <FailureNote failure={adding.failure} />}
        <DialogActions>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" busy={adding.busy && t`Adding…`}>
            <Trans>Add server</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

interface ProgramDraft {
  readonly command: string
  /** One per line. */
  readonly args: string
  readonly variables: string
  readonly network: boolean
  readonly readOnly: boolean
}
const NO_PROGRAM: ProgramDraft = { command: '', args: '', variables: '', network: false, readOnly: false }

interface ProgramProps {
  draft: ProgramDraft
  onChange: (draft: ProgramDraft) => void
  isChecked: boolean
}

function ProgramFields({ draft, onChange, isChecked }: ProgramProps) {
  const { command, args, variables, network, readOnly } = draft
  const { fault: line } = variablesOf(variables)
  return (
    <>
      <Field
        label={t`Program`}
        value={command}
        onChange={({ target }) => onChange({ ...draft, command: target.value })}
        hint={t`Such as node. Install the server first, because Sotto downloads nothing.`}
        fault={isChecked && command === '' ? t`Enter a program.` : undefined}
      />
      <TextAreaField
        label={t`Arguments, one per line`}
        value={args}
        rows={3}
        spellCheck={false}
        onChange={({ target }) => onChange({ ...draft, args: target.value })}
      />
      <TextAreaField
        label={t`Environment variables, one NAME=value per line`}
        value={variables}
        rows={2}
        spellCheck={false}
        onChange={({ target }) => onChange({ ...draft, variables: target.value })}
        fault={isChecked && line !== undefined ? t`This line isn’t NAME=value: ${line}` : undefined}
      />
      <CheckField
        label={t`Allow network access`}
        hint={t`It could then send what it reads to any server.`}
        checked={network}
        onTick={(ticked) => onChange({ ...draft, network: ticked })}
      />
      <CheckField
        label={t`Its tools only read data`}
        hint={t`If it also has no network access, you can always allow its tools in a chat.`}
        checked={readOnly}
        onTick={(ticked) => onChange({ ...draft, readOnly: ticked })}
      />
    </>
  )
}
