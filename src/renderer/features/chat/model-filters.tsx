import { t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import type { Model } from '../../../shared/model.ts'
import { decimalUsd, parseUsd } from '../../../shared/money.ts'
import { CheckField } from '../../ui/check-field.tsx'
import { Field } from '../../ui/field.tsx'
import { formatTokens } from '../../ui/format/number.ts'
import { useCurrentChat } from '../../ui/current-chat.ts'
import { privacyWord } from '../../ui/privacy-mark.tsx'
import { SelectField } from '../../ui/select.tsx'
import styles from './model-filters.module.css'
import { modelOrders, type ModelFilters as Filters, type ModelOrder } from './pick-models.ts'
import { usePicker } from './picker-store.ts'

const CONTEXTS = [0, 32_000, 128_000, 200_000, 1_000_000]

const orderWords: Readonly<Record<ModelOrder, string>> = {
  get name() {
    return t`Name`
  },
  get price() {
    return t`Output price (lowest first)`
  },
  get context() {
    return t`Context (largest first)`
  },
  get newest() {
    return t`Date added (newest first)`
  },
}

function set(change: Partial<Filters>): void {
  usePicker.setState(({ filters }) => ({ filters: { ...filters, ...change } }))
}

export function ModelFilters({ models }: { models: readonly Model[] }) {
  const { filters, order } = usePicker()
  const { privacy } = useCurrentChat()
  const providers = useMemo(
    () =>
      [...new Set(models.flatMap(({ provider }) => provider ?? []))].toSorted((a, b) => a.localeCompare(b)),
    [models],
  )
  return (
    <section className={styles.filters} tabIndex={-1} aria-label={t`Filter and sort`}>
      <SelectField
        label={t`Sort by`}
        value={order}
        onChange={(event) =>
          usePicker.setState({ order: modelOrders.find((one) => one === event.target.value) ?? 'name' })
        }
      >
        {modelOrders.map((one) => (
          <option key={one} value={one}>
            {orderWords[one]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t`Who can read it`}
        value={filters.privacy}
        onChange={({ target: { value } }) =>
          set({ privacy: value === 'private' || value === 'readable' ? value : 'any' })
        }
      >
        <option value="any">{t`Any`}</option>
        <option value="private">{t`Private only`}</option>
        <option value="readable">{privacyWord[privacy]}</option>
      </SelectField>
      <SelectField
        label={t`Minimum context`}
        value={filters.contextAtLeast}
        onChange={(event) => set({ contextAtLeast: Number(event.target.value) })}
      >
        {CONTEXTS.map((tokens) => (
          <option key={tokens} value={tokens}>
            {tokens === 0 ? t`Any` : formatTokens(tokens)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t`Provider`}
        value={filters.provider}
        onChange={(event) => set({ provider: event.target.value })}
      >
        <option value="">{t`Any`}</option>
        {providers.map((provider) => (
          <option key={provider} value={provider}>
            {provider}
          </option>
        ))}
      </SelectField>
      <PriceField />
      <CheckField label={t`Accepts images`} checked={filters.vision} onTick={(vision) => set({ vision })} />
    </section>
  )
}

function PriceField() {
  const most = usePicker((state) => state.filters.priceAtMost)
  const [text, setText] = useState(most === undefined ? '' : decimalUsd(most))
  const pico = text.trim() === '' ? undefined : parseUsd(text.trim())
  const wrong = pico === null || (pico !== undefined && pico < 0n)
  const write = (next: string) => {
    setText(next)
    const amount = next.trim() === '' ? undefined : parseUsd(next.trim())
    if (amount !== null && (amount === undefined || amount >= 0n)) set({ priceAtMost: amount })
  }
  return (
    <Field
      label={t`Maximum output price ($ per million tokens)`}
      value={text}
      onChange={(event) => write(event.target.value)}
      inputMode="decimal"
      autoComplete="off"
      placeholder={t`Any`}
      fault={wrong ? t`Enter an amount in dollars, such as 2.50.` : undefined}
    />
  )
}
