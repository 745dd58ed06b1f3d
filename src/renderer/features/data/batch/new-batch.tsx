import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { DataEndpoint } from '../../../../shared/contract/purchases.ts'
import { useAnswer } from '../../../data/use-answer.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatPrice } from '../../../ui/format/money.ts'
import { FileField } from '../../../ui/jobs/file-field.tsx'
import { useGivenFile } from '../../../ui/jobs/use-given-file.ts'
import { SelectField } from '../../../ui/select.tsx'
import { endpointsQuestion } from '../catalogue/catalogue-store.ts'
import { endpointName, grouped, idOf } from '../catalogue/group-endpoints.ts'
import styles from './batch.module.css'
import { MappedBatch } from './mapped-batch.tsx'
import { TablePreview } from './table-preview.tsx'
import { useTable, type CsvReading } from './use-table.ts'

/** The form of a new batch: a table, a lookup, and the column of each field, followed by the price. */
export function NewBatch() {
  const { data: endpoints, failure, refresh } = useAnswer(endpointsQuestion)
  const [chosen, setChosen] = useState('')
  const [reading, setReading] = useState<CsvReading>({ header: true })
  const fileInput = useGivenFile()
  const { picked } = fileInput
  const table = useTable(
    picked.state === 'taken' ? picked.source : undefined,
    reading,
    picked.state === 'taken' ? picked.file : undefined,
  )
  const endpoint = endpoints?.find((each) => idOf(each) === chosen)
  return (
    <section className={styles.new} aria-label={t`New batch`}>
      <h2>
        <Trans>New batch</Trans>
      </h2>
      <FileField
        label={t`Table`}
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        fileInput={fileInput}
        hint={t`A CSV file in UTF-8 or UTF-16, up to 200,000 rows. It’s read on this computer; rows are sent when you start the batch.`}
      />
      {table.state === 'reading' && (
        <p className={styles.quiet} role="status">
          <Trans>Reading table…</Trans>
        </p>
      )}
      {table.state === 'failed' && <FailureNote failure={table.failure} />}
      {picked.state === 'taken' && table.state !== 'none' && (
        <TablePreview
          table={table.state === 'read' ? table.table : undefined}
          reading={reading}
          onReading={setReading}
        />
      )}
      {failure && <FailureNote failure={failure} onRetry={refresh} />}
      <LookupField endpoints={endpoints} chosen={chosen} onChosen={setChosen} />
      {picked.state === 'taken' && table.state === 'read' && endpoint && (
        <MappedBatch
          key={`${chosen}\n${table.table.columns.join('\n')}`}
          fileInput={fileInput}
          file={picked.source}
          fileName={picked.name}
          reading={reading}
          table={table.table}
          endpoint={endpoint}
        />
      )}
      {!(table.state === 'read' && endpoint) && (
        <p className={styles.quiet}>
          <Trans>
            Choose a table and a lookup, then map columns to fields. You’ll see the total price before
            anything is sent.
          </Trans>
        </p>
      )}
    </section>
  )
}

function LookupField({
  endpoints,
  chosen,
  onChosen,
}: {
  endpoints: readonly DataEndpoint[] | undefined
  chosen: string
  onChosen: (id: string) => void
}) {
  if (!endpoints)
    return (
      <SelectField label={t`Lookup`} className={styles.lookup} disabled>
        <option>{t`Loading lookups…`}</option>
      </SelectField>
    )
  return (
    <SelectField
      label={t`Lookup`}
      className={styles.lookup}
      value={chosen}
      onChange={(event) => onChosen(event.target.value)}
      hint={t`Runs once per row.`}
    >
      <option value="" disabled>{t`Choose a lookup`}</option>
      {grouped(endpoints, '').map(({ id, name, endpoints: members }) => (
        <optgroup key={id} label={name}>
          {members.map((each) => (
            <option key={idOf(each)} value={idOf(each)}>
              {optionName(each)}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}

function optionName(endpoint: DataEndpoint): string {
  const name = endpointName(endpoint)
  if (endpoint.price === undefined) return t`${name}, no listed price`
  const price = formatPrice(endpoint.price)
  return t`${name}, ${price} per row`
}
