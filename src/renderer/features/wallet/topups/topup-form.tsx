import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type SyntheticEvent } from 'react'
import type { Topup, TopupMethod } from '../../../../shared/topup.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { currencyOf, limitWords, readAmount } from './topup-draft.ts'
import styles from './topup-form.module.css'
import { createTopup } from './topup-store.ts'
import { currencyWords, formatAmount, methodWords, type Currency } from './topup-words.ts'

/** In US dollars. The method's limits decide which of them are offered. */
const PRESETS = ['5', '10', '25', '50'] as const

/** How to pay, and how much, within what the service takes at this moment. */
export function TopupForm({
  methods,
  onMade,
}: {
  methods: readonly TopupMethod[]
  onMade: (topup: Topup) => void
}) {
  const [name, setName] = useState(methods[0]?.method)
  const [chosen, setChosen] = useState<Currency>('USD')
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const method = methods.find((each) => each.method === name) ?? methods[0]
  const limits = method && currencyOf(method, chosen)
  const read = limits && readAmount(text, limits)
  const make = useAction(async () => {
    if (!method || !limits || read?.amount === undefined) return
    onMade(await createTopup({ method: method.method, amount: read.amount, currency: limits.currency }))
  })
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (read?.amount !== undefined) void make.run()
    else event.currentTarget.querySelector<HTMLElement>('[name="amount"]')?.focus()
  }
  if (!method || !limits)
    return (
      <p className={styles.quiet}>
        <Trans>The service doesn’t accept top-ups by any method that Sotto supports.</Trans>
      </p>
    )
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <fieldset className={styles.methods}>
        <legend>
          <Trans>Pay with</Trans>
        </legend>
        {methods.map((each) => (
          <Method
            key={each.method}
            method={each}
            currency={chosen}
            checked={each === method}
            choose={() => setName(each.method)}
          />
        ))}
      </fieldset>
      {limits.currency === 'USD' && (
        <div className={styles.presets} role="group" aria-label={t`Presets`}>
          {PRESETS.filter((preset) => readAmount(preset, limits).amount !== undefined).map((preset) => (
            <Button key={preset} aria-pressed={text === preset} onClick={() => setText(preset)}>
              {formatAmount(preset, limits.currency)}
            </Button>
          ))}
        </div>
      )}
      <div className={styles.pair}>
        <Field
          label={t`Amount`}
          name="amount"
          value={text}
          onChange={(event) => setText(event.target.value)}
          inputMode={limits.currency === 'SATS' ? 'numeric' : 'decimal'}
          maxLength={24}
          hint={`${limitWords(limits)}.`}
          fault={read?.fault ?? (tried && text.trim() === '' ? t`Enter an amount.` : undefined)}
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
      </div>
      {make.failure && <FailureNote failure={make.failure} />}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" busy={make.busy && t`Creating…`}>
          {read?.amount === undefined
            ? t`Continue`
            : t`Continue with ${formatAmount(read.amount, limits.currency)}`}
        </Button>
        <p className={styles.quiet}>
          <Trans>You’re not charged until you pay the invoice.</Trans>
        </p>
      </div>
    </form>
  )
}

function Method({
  method,
  currency,
  checked,
  choose,
}: {
  method: TopupMethod
  currency: Currency
  checked: boolean
  choose: () => void
}) {
  const limits = currencyOf(method, currency)
  const { name, arrives } = methodWords[method.method]
  return (
    <label className={styles.method}>
      <input type="radio" name="method" value={method.method} checked={checked} onChange={choose} />
      <span className={styles.name}>{name}</span>
      <span className={styles.arrives}>{arrives}</span>
      {limits && <span className={styles.limits}>{limitWords(limits)}</span>}
    </label>
  )
}
