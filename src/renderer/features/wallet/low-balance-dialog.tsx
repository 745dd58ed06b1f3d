import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field, Form } from '../../ui/field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { setLowBalance } from './balance-store.ts'

/** The format that the contract accepts. */
const DOLLARS = /^\d{1,6}(\.\d{1,2})?$/

/** Sets the balance below which Sotto reports a low balance. */
export function LowBalanceDialog({ below, close }: { below: string; close: () => void }) {
  const [text, setText] = useState(below)
  const dollars = text.trim().replace(/^\$\s*/, '')
  const wrong = !DOLLARS.test(dollars)
  const save = useAction(async () => {
    await setLowBalance(dollars)
    close()
  })
  const submit = () => {
    if (!wrong) void save.run()
  }
  return (
    <Dialog
      open
      onClose={close}
      title={t`Low-balance alert`}
      says={t`Sotto alerts you when your balance falls below this amount, before requests are refused. It doesn’t add funds.`}
    >
      <Form onSubmit={submit}>
        <Field
          label={t`US dollars`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          inputMode="decimal"
          maxLength={12}
          autoFocus
          hint={t`Enter 0 to be alerted only when the balance is used up.`}
          fault={wrong ? t`Enter an amount in dollars, such as 1.50.` : undefined}
        />
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
