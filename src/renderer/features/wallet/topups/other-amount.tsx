import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import type { TopupMethod } from '../../../../shared/topup.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Form } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select.tsx'
import styles from './add-funds.module.css'
import { currencyOf, limitWords, readAmount } from './topup-draft.ts'
import { currencyWords, formatAmount, type Currency } from './topup-words.ts'

/** A custom amount within the limits of the method, in a currency that the method accepts. */
export function OtherAmount({
  method,
  busy,
  onAmount,
}: {
  method: TopupMethod
  busy: boolean
  onAmount: (amount: string, currency: Currency) => void
}) {
  const [chosen, setChosen] = useState<Currency>('USD')
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const limits = currencyOf(method, chosen)
  if (!limits) return null
  const read = readAmount(text, limits)
  const submit = () => {
    setTried(true)
    if (read.amount !== undefined) onAmount(read.amount, limits.currency)
    else field.current?.focus()
  }
  return (
    <Form className={styles.other} onSubmit={submit}>
      <Field
        ref={field}
        label={t`Amount`}
        name="amount"
        value={text}
        onChange={(event) => setText(event.target.value)}
        inputMode={limits.currency === 'SATS' ? 'numeric' : 'decimal'}
        maxLength={24}
        autoFocus
        hint={`${limitWords(limits)}.`}
        fault={read.fault ?? (tried && text.trim() === '' ? t`Enter an amount.` : undefined)}
      />
      <SelectField
        label={t`Currency`}
        value={limits.currency}
        onChange={(event) =>
          setChosen(
            method.currencies.find(({ currency }) => currency === event.target.value)?.currency ?? chosen,
          )
        }
      >
        {method.currencies.map(({ currency }) => (
          <option key={currency} value={currency}>
            {currencyWords[currency]}
          </option>
        ))}
      </SelectField>
      <Button kind="primary" type="submit" busy={busy && t`Creating…`} className={styles.submit}>
        {read.amount === undefined
          ? t`Continue`
          : t`Continue with ${formatAmount(read.amount, limits.currency)}`}
      </Button>
    </Form>
  )
}
