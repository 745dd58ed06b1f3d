import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { JobAsk, TextSource } from '../../../../shared/job-ask.ts'
import type { Model } from '../../../../shared/model.ts'
import { useJobModels } from '../../../data/listings.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field } from '../../../ui/field.tsx'
import { formatPrice } from '../../../ui/format/money.ts'
import { AskLine } from '../../../ui/jobs/ask-line.tsx'
import { FileField } from '../../../ui/jobs/file-field.tsx'
import { useGivenFile } from '../../../ui/jobs/use-given-file.ts'
import { SelectField } from '../../../ui/select.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { TablePreview } from '../batch/table-preview.tsx'
import { useTable, type CsvReading } from '../batch/use-table.ts'
import { showEmbedding } from './embedding-store.ts'
import styles from './embeddings.module.css'
import { ManyFilesField, type ManyFiles } from './many-files.tsx'
import { useTypedTexts } from './use-typed-texts.ts'

const forms = {
  get typed() {
    return t`Typed or pasted text, one text per line`
  },
  get lines() {
    return t`Text file, one text per line`
  },
  get csv() {
    return t`CSV column`
  },
  get files() {
    return t`Files, one text per file`
  },
}
type Form = keyof typeof forms
const formIds: readonly Form[] = ['typed', 'lines', 'csv', 'files']

/** The form of a new embedding: texts from any of the sources, and the model, followed by the price. */
export function NewEmbedding() {
  const [form, setForm] = useState<Form>('typed')
  const [typed, setTyped] = useState('')
  const [reading, setReading] = useState<CsvReading>({ header: true })
  const [column, setColumn] = useState<number>()
  const [many, setMany] = useState<ManyFiles>()
  const [chosen, setChosen] = useState('')
  const [dimensions, setDimensions] = useState('')
  const { data: models, failure, refresh: again } = useJobModels('embedding')
  const text = useTypedTexts(form === 'typed' ? typed : '')
  const fileInput = useGivenFile()
  const { picked } = fileInput
  const file = picked.state === 'taken' ? picked.source : undefined
  const table = useTable(form === 'csv' ? file : undefined, reading)
  const model = chosen === '' ? (models?.[0]?.id ?? '') : chosen
  const fault =
    dimensions.trim() !== '' && !/^[1-9]\d{0,4}$/.test(dimensions.trim())
      ? t`Enter a whole number, such as 256.`
      : undefined
  const source = sourceOf()
  const ask: JobAsk | undefined =
    source && model !== '' && fault === undefined
      ? {
          kind: 'embedding',
          model,
          source,
          ...(dimensions.trim() !== '' && { dimensions: Number(dimensions.trim()) }),
        }
      : undefined

  function sourceOf(): TextSource | undefined {
    if (form === 'typed') return text.file && { form: 'lines', file: text.file }
    if (form === 'files') return many && { form: 'files', files: [...many.files] }
    if (!file) return undefined
    if (form === 'lines') return { form, file }
    if (table.state !== 'read' || column === undefined || column >= table.table.columns.length)
      return undefined
    return {
      form,
      file,
      column,
      header: reading.header,
      ...(reading.delimiter !== undefined && { delimiter: reading.delimiter }),
    }
  }

  return (
    <section className={styles.new} aria-label={t`New embedding`}>
      <h2>
        <Trans>New embedding</Trans>
      </h2>
      <SelectField
        label={t`Text source`}
        className={styles.choice}
        value={form}
        onChange={({ target }) => {
          setForm(formIds.find((each) => each === target.value) ?? 'typed')
          fileInput.clear()
        }}
      >
        {formIds.map((each) => (
          <option key={each} value={each}>
            {forms[each]}
          </option>
        ))}
      </SelectField>
      {form === 'typed' && (
        <TextAreaField
          label={t`Texts`}
          rows={6}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          hint={t`Each line is one text. Empty lines are skipped.`}
        />
      )}
      {form === 'typed' && text.failure && <FailureNote failure={text.failure} />}
      {(form === 'lines' || form === 'csv') && (
        <FileField
          key={form}
          label={form === 'csv' ? t`Table` : t`Text file`}
          accept={
            form === 'csv' ? '.csv,.tsv,.txt,text/csv,text/tab-separated-values' : '.txt,.md,text/plain'
          }
          fileInput={fileInput}
          hint={t`UTF-8 or UTF-16, up to 100,000 texts. It’s read on this computer; texts are sent when you embed them.`}
        />
      )}
      {form === 'csv' && table.state === 'reading' && (
        <p className={styles.quiet} role="status">
          <Trans>Reading table…</Trans>
        </p>
      )}
      {form === 'csv' && table.state === 'failed' && <FailureNote failure={table.failure} />}
      {form === 'csv' && file && table.state !== 'none' && (
        <TablePreview
          table={table.state === 'read' ? table.table : undefined}
          reading={reading}
          onReading={setReading}
        />
      )}
      {form === 'csv' && table.state === 'read' && (
        <SelectField
          label={t`Text column`}
          className={styles.choice}
          value={column === undefined ? '' : String(column)}
          onChange={({ target }) => setColumn(Number(target.value))}
        >
          <option value="" disabled>{t`Choose a column`}</option>
          {table.table.columns.map((name, at) => (
            <option key={`${String(at)} ${name}`} value={at}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {form === 'files' && <ManyFilesField chosen={many} onChosen={setMany} />}
      {failure && <FailureNote failure={failure} onRetry={again} />}
      <div className={styles.choices}>
        <ModelField models={models} model={model} onModel={setChosen} />
        <Field
          label={t`Dimensions`}
          value={dimensions}
          inputMode="numeric"
          maxLength={5}
          fault={fault}
          hint={t`Leave empty for the model’s default. Some models support fewer.`}
          onChange={({ target }) => setDimensions(target.value)}
        />
      </div>
      <AskLine
        ask={ask}
        missing={missing()}
        single={false}
        send={t`Embed texts`}
        onStarted={(job) => {
          fileInput.clear()
          setTyped('')
          setMany(undefined)
          showEmbedding(job.id)
        }}
      />
    </section>
  )

  function missing(): string | undefined {
    if (source && model === '') return t`Choose a model.`
    if (source) return undefined
    if (form === 'typed')
      return typed.trim() === ''
        ? t`Add texts to see the price before anything is sent.`
        : t`Calculating price…`
    if (form === 'csv' && table.state === 'read') return t`Choose the text column.`
    return t`Add texts to see the price before anything is sent.`
  }
}

function ModelField({
  models,
  model,
  onModel,
}: {
  models: readonly Model[] | undefined
  model: string
  onModel: (id: string) => void
}) {
  if (!models)
    return (
      <SelectField label={t`Model`} disabled>
        <option>{t`Loading…`}</option>
      </SelectField>
    )
  if (models.length === 0)
    return (
      <Field
        label={t`Model ID`}
        value={model}
        maxLength={200}
        hint={t`The service lists no embedding models.`}
        onChange={({ target }) => onModel(target.value.trim())}
      />
    )
  return (
    <SelectField label={t`Model`} value={model} onChange={({ target }) => onModel(target.value)}>
      {models.map((each) => (
        <option key={each.id} value={each.id}>
          {withPrice(each)}
        </option>
      ))}
    </SelectField>
  )
}

function withPrice({ name, inputPerMillion }: Model): string {
  if (inputPerMillion === undefined) return t`${name}, no listed price`
  const price = formatPrice(inputPerMillion)
  return t`${name}, ${price} per million tokens`
}
