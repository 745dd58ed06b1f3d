import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { HistoryFilter } from '../../../shared/history.ts'
import { Button } from '../../ui/button.tsx'
import { ComboboxField } from '../../ui/combobox-field.tsx'
import { DayRangeFields } from '../../ui/day-range-fields.tsx'
import { SelectField } from '../../ui/select.tsx'
import styles from './filters.module.css'
import { showHistory, useHistoryFilter, useHistoryKeys, useSeenWords } from './history-store.ts'

/** A filter without empty values. */
function cleaned(filter: {
  [Name in keyof HistoryFilter]: HistoryFilter[Name] | '' | undefined
}): HistoryFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''))
}

/** Which queries are looked at: by day, model, source, type and key. */
export function Filters() {
  const filter = useHistoryFilter()
  const keys = useHistoryKeys()
  const seen = useSeenWords()
  const change = (part: { [Name in keyof HistoryFilter]?: string }) =>
    showHistory(cleaned({ ...filter, ...part }))
  const narrowed = Object.keys(filter).some((name) => name !== 'from' && name !== 'until')
  return (
    <div className={styles.filters} role="group" aria-label={t`Filters`}>
      <DayRangeFields
        days={filter}
        onChange={({ from, until }) => showHistory(cleaned({ ...filter, from, until }))}
      />
      <WordField
        label={t`Model`}
        value={filter.model ?? ''}
        suggestions={seen.models}
        all={t`All models`}
        onChoose={(model) => change({ model })}
      />
      <WordField
        label={t`Source`}
        value={filter.source ?? ''}
        suggestions={seen.sources}
        all={t`All sources`}
        onChoose={(source) => change({ source })}
      />
      <WordField
        label={t`Type`}
        value={filter.type ?? ''}
        suggestions={seen.types}
        all={t`All types`}
        onChoose={(type) => change({ type })}
      />
      <SelectField
        label={t`Key`}
        value={filter.keyId ?? ''}
        disabled={!keys}
        onChange={(event) => change({ keyId: event.target.value })}
      >
        <option value="">{t`All keys`}</option>
        {keys?.map(({ id, name, revokedAt }) => (
          <option key={id} value={id}>
            {typeof revokedAt === 'number' ? t`${name} (revoked)` : name}
          </option>
        ))}
        {filter.keyId !== undefined && !keys?.some(({ id }) => id === filter.keyId) && (
          <option value={filter.keyId}>{filter.keyId}</option>
        )}
      </SelectField>
      {narrowed && (
        <Button
          className={styles.clear}
          onClick={() => showHistory(cleaned({ from: filter.from, until: filter.until }))}
        >
          <Trans>Clear filters</Trans>
        </Button>
      )}
    </div>
  )
}

/** A field for a whole word, with the known words as suggestions. Enter, or leaving the field, applies it. */
function WordField({
  label,
  value,
  suggestions,
  all,
  onChoose,
}: {
  label: string
  value: string
  suggestions: readonly string[]
  all: string
  onChoose: (word: string) => void
}) {
  const [draft, setDraft] = useState(value)
  const [filtered, setFiltered] = useState(value)
  if (filtered !== value) {
    setFiltered(value)
    setDraft(value)
  }
  const take = (word: string) => {
    const chosen = word.trim()
    if (chosen !== value) onChoose(chosen)
  }
  return (
    <ComboboxField
      label={label}
      value={draft}
      options={suggestions}
      placeholder={all}
      maxLength={200}
      onChange={setDraft}
      onCommit={take}
    />
  )
}
