import { plural, t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import { csvDelimiters } from '../../../../shared/job-ask.ts'
import type { CsvTable } from '../../../../shared/job-rows.ts'
import { CheckField } from '../../../ui/check-field.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { widthFor } from '../results/column-layout.ts'
import { Grid, type GridPlace } from '../results/grid.tsx'
import styles from './batch.module.css'
import type { CsvReading } from './use-table.ts'

const FOUND = ''
const delimiterNames: Readonly<Record<CsvTable['delimiter'], string>> = {
  get ','() {
    return t`Comma`
  },
  get ';'() {
    return t`Semicolon`
  },
  get '\t'() {
    return t`Tab`
  },
  get '|'() {
    return t`Pipe`
  },
}

/** The format of a file, and its first rows in that format. */
export function TablePreview({
  table,
  reading: { header, delimiter },
  onReading,
}: {
  table: CsvTable | undefined
  reading: CsvReading
  onReading: (reading: CsvReading) => void
}) {
  const [place, setPlace] = useState<GridPlace>()
  const columns = useMemo(
    () =>
      table?.columns.map((name, at) => ({
        id: String(at),
        name,
        numeric: false,
        width: widthFor(
          name,
          table.sample.slice(0, 50).map((row) => (row[at] ?? '').slice(0, 60)),
        ),
      })),
    [table],
  )
  const textAt = useMemo(() => (row: number, column: number) => table?.sample[row]?.[column] ?? '', [table])
  const found = table && delimiterNames[table.delimiter]
  return (
    <div className={styles.preview}>
      <div className={styles.reading}>
        <CheckField
          label={t`First row contains column names`}
          checked={header}
          onTick={(ticked) => onReading({ header: ticked, ...(delimiter !== undefined && { delimiter }) })}
        />
        <SelectField
          label={t`Delimiter`}
          value={delimiter ?? FOUND}
          onChange={(event) => {
            const [chosen] = csvDelimiters.filter((each) => each === event.target.value)
            onReading({ header, ...(chosen !== undefined && { delimiter: chosen }) })
          }}
        >
          <option value={FOUND}>
            {delimiter === undefined && found !== undefined ? t`Detected: ${found}` : t`Auto-detect`}
          </option>
          {csvDelimiters.map((each) => (
            <option key={each} value={each}>
              {delimiterNames[each]}
            </option>
          ))}
        </SelectField>
      </div>
      {table && columns && (
        <>
          <Grid
            label={t`Table preview`}
            columns={columns}
            count={table.sample.length}
            textAt={textAt}
            place={place}
            onPlace={setPlace}
          />
          <p className={styles.quiet} data-testid="table-size" role="status">
            {sizeOf(table)}
          </p>
        </>
      )}
    </div>
  )
}

function sizeOf({ rows, columns, sample }: CsvTable): string {
  const height = plural(rows, { one: '# row', other: '# rows' })
  const width = plural(columns.length, { one: '# column', other: '# columns' })
  const shown = plural(sample.length, { one: 'showing the first row', other: 'showing the first # rows' })
  return t`${height}, ${width}; ${shown}.`
}
