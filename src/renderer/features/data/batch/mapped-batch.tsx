import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { DataEndpoint } from '../../../../shared/contract/purchases.ts'
import type { GivenFile, JobAsk } from '../../../../shared/job-ask.ts'
import type { CsvTable } from '../../../../shared/job-rows.ts'
import { parseUsd } from '../../../../shared/money.ts'
import { Field } from '../../../ui/field.tsx'
import type { GivenFileState } from '../../../ui/jobs/use-given-file.ts'
import { SelectField } from '../../../ui/select.tsx'
import { exampleOf } from '../catalogue/examples.ts'
import { fieldsOf } from '../catalogue/fields.ts'
import { endpointName } from '../catalogue/group-endpoints.ts'
import { JsonEditor } from '../catalogue/json-editor.tsx'
import { readInput } from '../catalogue/json-place.ts'
import { toJsonObject } from '../catalogue/lookup-draft.ts'
import styles from './batch.module.css'
import { firstTitle } from './batch-words.ts'
import { BatchPrice } from './batch-price.tsx'
import { columnsOf, faultOf, firstMapping, type MappingFault } from './mapping.ts'
import { MappingFields } from './mapping-fields.tsx'
import type { CsvReading } from './use-table.ts'

const CONCURRENCY = [1, 2, 3, 4, 5, 6, 7, 8] as const

interface MappedBatchProps {
  fileInput: GivenFileState
  file: GivenFile
  fileName: string
  reading: CsvReading
  table: CsvTable
  endpoint: DataEndpoint
}

/**
 * The settings of a batch: the column of each field, the values for every row, the cost limit, and the number
 * of parallel requests.
 */
export function MappedBatch({ fileInput, file, fileName, reading, table, endpoint }: MappedBatchProps) {
  const known = fieldsOf(endpoint) !== undefined
  const [fields, setFields] = useState(() => firstMapping(exampleOf(endpoint), table.columns, known))
  const [same, setSame] = useState('{}')
  const [cap, setCap] = useState('')
  const [concurrency, setConcurrency] = useState<number>(2)
  const fault = faultOf(fields, table.columns.length, known)
  const read = readInput(same)
  const most = cap.trim() === '' ? undefined : parseUsd(cap.trim())
  const clash =
    'input' in read
      ? fields.find(({ name, column }) => column !== undefined && Object.hasOwn(read.input, name.trim()))
          ?.name
      : undefined
  const capFault =
    most === null || (most !== undefined && most <= 0n)
      ? t`Enter an amount in dollars, such as 2.50.`
      : undefined
  const missing = fault
    ? mappingWords[fault.fault]
    : 'fault' in read
      ? t`Fix the JSON under “Same for every row”.`
      : clash !== undefined
        ? t`${clash} is both a column’s field and under “Same for every row”. Remove it from one of them.`
        : capFault !== undefined
          ? t`Fix the limit.`
          : undefined
  const ask: JobAsk | undefined =
    missing !== undefined || !('input' in read)
      ? undefined
      : {
          kind: 'batch',
          method: endpoint.method,
          path: endpoint.path,
          columns: columnsOf(fields),
          header: reading.header,
          delimiter: table.delimiter,
          concurrency,
          file,
          ...(Object.keys(read.input).length > 0 && { input: toJsonObject(read.input) }),
          ...(most !== undefined && most !== null && { most: most.toString() }),
        }
  return (
    <>
      <MappingFields
        fields={fields}
        onFields={setFields}
        columns={table.columns}
        sample={table.sample}
        known={known}
        wrong={fault?.key}
        suggestions={Object.keys(exampleOf(endpoint))}
      />
      <details className={styles.same}>
        <summary>
          <Trans>Same for every row</Trans>
        </summary>
        <JsonEditor
          label={t`Fields for every row (JSON)`}
          hint={t`Sent with each row’s own fields.`}
          value={same}
          onChange={setSame}
          fault={'fault' in read ? read.fault : undefined}
        />
      </details>
      <div className={styles.limits}>
        <Field
          label={t`Total limit for all rows (US dollars)`}
          value={cap}
          onChange={(event) => setCap(event.target.value)}
          inputMode="decimal"
          maxLength={20}
          placeholder={t`no limit`}
          fault={capFault}
          hint={t`Sotto checks this before sending each row. If a row could exceed the limit, the batch pauses.`}
        />
        <SelectField
          label={t`Rows in parallel`}
          value={concurrency}
          onChange={(event) => setConcurrency(Number(event.target.value))}
          hint={t`Higher is faster, but puts more load on the service.`}
        >
          {CONCURRENCY.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </SelectField>
      </div>
      <BatchPrice
        ask={ask}
        missing={missing}
        rowPrice={endpoint.price}
        title={firstTitle(fileName, endpointName(endpoint))}
        onStarted={(job) => fileInput.usedBy(job)}
      />
    </>
  )
}

const mappingWords: Readonly<Record<MappingFault, string>> = {
  get none() {
    return t`Map at least one column to a field.`
  },
  get name() {
    return t`Each field needs a name.`
  },
  get twice() {
    return t`Two fields have the same name.`
  },
  get column() {
    return t`Choose a column for each field.`
  },
}
