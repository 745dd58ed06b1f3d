import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { FailureNote } from '../failure-note.tsx'
import { Field, Form } from '../field.tsx'
import { useAction } from '../use-action.ts'
import styles from './pay-elsewhere.module.css'

/** Asks for the preimage that proves a payment. @param prove gets 64 lower-case hex digits */
export function PreimageForm({ prove: submitPreimage }: { prove: (preimage: string) => Promise<void> }) {
  const field = useRef<HTMLInputElement>(null)
  const [faulty, setFaulty] = useState(false)
  const prove = useAction(async () => {
    const preimage = field.current?.value.trim().toLowerCase() ?? ''
    // The preimage is worth the paid amount, so it stays only in its field, until it is submitted.
    if (field.current) field.current.value = ''
    if (/^[0-9a-f]{64}$/.test(preimage)) return submitPreimage(preimage)
    setFaulty(true)
    field.current?.focus()
  })
  return (
    <Form className={styles.fields} onSubmit={() => void prove.run()}>
      <Field
        ref={field}
        label={t`Preimage`}
        type="password"
        autoComplete="off"
        maxLength={200}
        fault={
          faulty ? t`A preimage is 64 hexadecimal digits. The field was cleared. Paste it again.` : undefined
        }
        disabled={prove.busy}
        onInput={() => setFaulty(false)}
      />
      {prove.failure && <FailureNote failure={prove.failure} />}
      <div className={styles.actions}>
        <Button type="submit" busy={prove.busy && t`Sending proof to the service…`}>
          <Trans>I’ve paid</Trans>
        </Button>
      </div>
    </Form>
  )
}
