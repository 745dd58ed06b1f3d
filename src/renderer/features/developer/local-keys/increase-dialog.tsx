import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { LocalKeyView } from '../../../../shared/local-key.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field, Form } from '../../../ui/field.tsx'
import grouped from '../../../ui/grouped-form.module.css'
import { useAction } from '../../../ui/use-action.ts'
import { increaseBudget } from '../local-api-store.ts'
import { readAmount } from '../../../ui/keys/key-draft.ts'

/** Adds to a key's budget for a time, or ends that. */
export function IncreaseDialog({
  localKey: { id, name, limits, increase },
  close,
}: {
  localKey: LocalKeyView
  close: () => void
}) {
  const [amount, setAmount] = useState('')
  const [until, setUntil] = useState('')
  const [faulty, setFaulty] = useState(false)
  const add = useAction(async () => {
    const picoUsd = readAmount(amount)
    if (picoUsd === null || picoUsd === '0') return setFaulty(true)
    await increaseBudget(id, picoUsd, until === '' ? undefined : new Date(until).getTime())
    close()
  })
  const remove = useAction(async () => {
    await increaseBudget(id, '0')
    close()
  })
  const failure = add.failure ?? remove.failure
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={t`Temporary increase for ${name}`}
      says={t`It replaces an earlier increase. Confirm it in the system dialog or your terminal.`}
    >
      <Form className={grouped.form} onSubmit={() => void add.run()}>
        <Field
          label={t`US dollars`}
          value={amount}
          onChange={(event) => {
            setAmount(event.target.value)
            setFaulty(false)
          }}
          inputMode="decimal"
          maxLength={20}
          fault={faulty ? t`Enter an amount in dollars, such as 2.50.` : undefined}
        />
        <Field
          label={t`Until`}
          type="datetime-local"
          value={until}
          onChange={(event) => setUntil(event.target.value)}
          hint={
            limits.budget?.period === 'total'
              ? t`At most 30 days. Leave empty for 30 days.`
              : t`At most 30 days. Leave empty for the end of the current period.`
          }
        />
        {failure && <FailureNote failure={failure} />}
        <DialogActions>
          {increase && (
            <Button onClick={() => void remove.run()} busy={remove.busy && t`Removing…`}>
              <Trans>Remove increase</Trans>
            </Button>
          )}
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" busy={add.busy && t`Saving…`}>
            <Trans>Increase budget</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
