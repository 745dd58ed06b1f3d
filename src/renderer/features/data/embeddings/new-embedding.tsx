import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { JobAsk, TextSource } from '../../../../shared/job-ask.ts'
import type { Model } from '../../../../shared/model.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field } from '../../../ui/field.tsx'
import { formatExactUsd } from '../../../ui/format/money.ts'
import { AskLine } from '../../../ui/jobs/ask-line.tsx'
import { FileField } from '../../../ui/jobs/file-field.tsx'
import { useGivenFile } from '../../../ui/jobs/use-given-file.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { TablePreview } from '../batch/table-preview.tsx'
import { useTable, type CsvReading } from '../batch/use-table.ts'
import { showEmbedding } from './embedding-store.ts'
import styles from './embeddings.module.css'
import { ManyFilesField, type ManyFiles } from './many-files.tsx'
import { useEmbeddingModels } from './use-embedding-models.ts'
import { useTypedTexts } from './use-typed-texts.ts'

const forms = {
  get typed() { return t`Lines that are typed or pasted here` },
  get lines() { return t`A text file, line by line` },
  get csv() { return t`A column of a CSV file` },
  get files() { return t`Files, each as one text` },
}
type Form = keyof typeof forms
const formIds: readonly Form[] = ['typed', 'lines', 'csv', 'files']

/** Texts from wherever they are, and the model: then what it would cost. */
export function NewEmbedding() {
  const [form, setForm] = useState<Form>('typed')
  const [typed, setTyped] = useState('')
  const [reading, setReading] = useState<CsvReading>({ header: true })
  const [column, setColumn] = useState<number>()
  const [many, setMany] = useState<ManyFiles>()
  const [chosen, setChosen] = useState('')
  const [dimensions, setDimensions] = useState('')
  const { models, failure, again } = useEmbeddingModels()
  const text = useTypedTexts(form === 'typed' ? typed : '')
  const given = useGivenFile()
  const { picked } = given
  const file = picked.state === 'taken' ? picked.given : undefined
  const table = useTable(form === 'csv' ? file : undefined, reading)
  const model = chosen === '' ? models?.[0]?.id ?? '' : chosen
  const fault = dimensions.trim() !== '' && !/^[1-9]\d{0,4}$/.test(dimensions.trim()) ? t`This takes a whole number, such as 256.` : undefined
  const source = sourceOf()
  const ask: JobAsk | undefined = source && model !== '' && fault === undefined ? { kind: 'embedding', model, source, ...(dimensions.trim() !== '' && { dimensions: Number(dimensions.trim()) }) } : undefined

  function sourceOf(): TextSource | undefined {
    if (form === 'typed') return text.file && { form: 'lines', file: text.file }
    if (form === 'files') return many && { form: 'files', files: [...many.files] }
    if (!file) return undefined
    if (form === 'lines') return { form, file }
    if (table.state !== 'read' || column === undefined || column >= table.table.columns.length) return undefined
    return { form, file, column, header: reading.header, ...(reading.delimiter !== undefined && { delimiter: reading.delimiter }) }
  }

  return (
    <section className={styles.new} aria-label={t`New embedding`}>
      <h2><Trans>New embedding</Trans></h2>
      <SelectField label={t`What is embedded`} className={styles.choice} value={form} onChange={({ target }) => { setForm(formIds.find((each) => each === target.value) ?? 'typed'); given.clear() }}>
        {formIds.map((each) => <option key={each} value={each}>{forms[each]}</option>)}
      </SelectField>
      {form === 'typed' && <TextAreaField label={t`Texts`} rows={6} value={typed} onChange={({ target }) => setTyped(target.value)} hint={t`Each line is one text; empty lines are left out.`} />}
      {form === 'typed' && text.failure && <FailureNote failure={text.failure} />}
      {(form === 'lines' || form === 'csv') && (
        <FileField key={form} label={form === 'csv' ? t`Table` : t`Text file`} accept={form === 'csv' ? '.csv,.tsv,.txt,text/csv,text/tab-separated-values' : '.txt,.md,text/plain'} given={given} hint={t`In UTF-8 or UTF-16, with at most 100,000 texts. It is read on this machine; texts leave it when you embed them.`} />
      )}
      {form === 'csv' && table.state === 'reading' && <p className={styles.quiet} role="status"><Trans>Reading the table…</Trans></p>}
      {form === 'csv' && table.state === 'failed' && <FailureNote failure={table.failure} />}
      {form === 'csv' && file && table.state !== 'none' && <TablePreview table={table.state === 'read' ? table.table : undefined} reading={reading} onReading={setReading} />}
      {form === 'csv' && table.state === 'read' && (
        <SelectField label={t`Column with the texts`} className={styles.choice} value={column === undefined ? '' : String(column)} onChange={({ target }) => setColumn(Number(target.value))}>
          <option value="" disabled>{t`Choose a column`}</option>
          {table.table.columns.map((name, at) => <option key={`${String(at)} ${name}`} value={at}>{name}</option>)}
        </SelectField>
      )}
      {form === 'files' && <ManyFilesField chosen={many} onChosen={setMany} />}
      {failure && <FailureNote failure={failure}><Button onClick={again}><Trans>Ask for the listing again</Trans></Button></FailureNote>}
      <div className={styles.choices}>
        <ModelField models={models} model={model} onModel={setChosen} />
        <Field label={t`Dimensions`} value={dimensions} inputMode="numeric" maxLength={5} fault={fault} hint={t`Left empty, as many as the model makes. Fewer are supported by some models.`} onChange={({ target }) => setDimensions(target.value)} />
      </div>
      <AskLine ask={ask} missing={missing()} single={false} send={t`Embed the texts`} onStarted={(job) => {
        given.clear()
        setTyped('')
        setMany(undefined)
        showEmbedding(job.id)
      }} />
    </section>
  )

  function missing(): string | undefined {
    if (source && model === '') return t`Choose a model.`
    if (source) return undefined
    if (form === 'typed') return typed.trim() === '' ? t`With texts, the price is shown here before anything is sent.` : t`Reckoning the price…`
    if (form === 'csv' && table.state === 'read') return t`Choose the column with the texts.`
    return t`With texts, the price is shown here before anything is sent.`
  }
}

function ModelField({ models, model, onModel }: { models: readonly Model[] | undefined; model: string; onModel: (id: string) => void }) {
  if (!models) return <SelectField label={t`Model`} disabled><option>{t`Asking for the listing…`}</option></SelectField>
  if (models.length === 0) return <Field label={t`Id of the model`} value={model} maxLength={200} hint={t`The service lists no model that embeds.`} onChange={({ target }) => onModel(target.value.trim())} />
  return (
    <SelectField label={t`Model`} value={model} onChange={({ target }) => onModel(target.value)}>
      {models.map((each) => <option key={each.id} value={each.id}>{withPrice(each)}</option>)}
    </SelectField>
  )
}

function withPrice({ name, inputPerMillion }: Model): string {
  if (inputPerMillion === undefined) return t`${name}, no listed price`
  const price = formatExactUsd(inputPerMillion)
  return t`${name}, ${price} for a million tokens`
}
