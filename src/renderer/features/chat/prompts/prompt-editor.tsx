import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import type { Prompt } from '../../../../shared/prompt.ts'
import { parsePrompt, variablesOf } from '../../../../shared/prompt-template.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field, Form } from '../../../ui/field.tsx'
import { formatList } from '../../../ui/format/list.ts'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { useAction } from '../../../ui/use-action.ts'
import styles from './prompts.module.css'
import { savePrompt } from './prompt-store.ts'

/** Edits a prompt, or creates one. */
export function PromptEditor({ prompt, done }: { prompt: Prompt | undefined; done: () => void }) {
  const [name, setName] = useState(prompt?.name ?? '')
  const [text, setText] = useState(prompt?.text ?? '')
  const [tried, setTried] = useState(false)
  const variables = useMemo(() => variablesOf(parsePrompt(text)).map((variable) => variable.name), [text])
  const saving = useAction(async () => {
    await savePrompt({ name: name.trim(), text, ...(prompt && { promptId: prompt.id }) })
    done()
  })
  const submit = () => {
    setTried(true)
    if (name.trim() !== '' && text.trim() !== '') void saving.run()
  }
  const asked = formatList(variables)
  return (
    <Dialog open onClose={done} persistent wide title={prompt ? t`Edit prompt` : t`New prompt`}>
      <Form onSubmit={submit}>
        <Field
          label={t`Name`}
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={100}
          autoFocus
          fault={tried && name.trim() === '' ? t`Enter a name.` : undefined}
        />
        <TextAreaField
          label={t`Text`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          rows={10}
          maxLength={200_000}
          spellCheck
          fault={tried && text.trim() === '' ? t`Enter the prompt text.` : undefined}
          hint={<Syntax />}
        />
        <p className={styles.asked} aria-live="polite">
          {variables.length === 0 ? t`No variables` : t`Variables: ${asked}`}
        </p>
        {saving.failure && <FailureNote failure={saving.failure} />}
        <DialogActions>
          <Button onClick={done}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" busy={saving.busy && t`Saving…`}>
            <Trans>Save</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function Syntax() {
  const [plain, withDefault, choice, literal] = ['{{name}}', '{{name=default}}', '{{name|one|two}}', '\\{{']
  return (
    <Trans>
      <code>{plain}</code> asks for a value, <code>{withDefault}</code> has a default, <code>{choice}</code>{' '}
      offers choices, <code>{literal}</code> is two braces.
    </Trans>
  )
}
