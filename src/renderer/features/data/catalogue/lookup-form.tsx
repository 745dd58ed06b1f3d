import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { DataEndpoint } from '../../../../shared/contract/purchases.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import type { LookupDraft } from './catalogue-store.ts'
import { asText, exampleOf } from './examples.ts'
import { fieldsOf, inputOf, textsOf, type LookupField } from './fields.ts'
import { JsonEditor } from './json-editor.tsx'
import { readInput } from './json-place.ts'
import type { DraftFaults } from './lookup-draft.ts'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import styles from './catalogue.module.css'

interface LookupFormProps {
  target: DataEndpoint
  draft: LookupDraft
  faults: DraftFaults
  onDraft: (draft: LookupDraft) => void
}

/** What a lookup is asked: in fields where they are known, as JSON everywhere. */
export function LookupForm({ target, draft, faults, onDraft }: LookupFormProps) {
  const fields = fieldsOf(target)
  const [kept, setKept] = useState(false)
  const turn = (mode: LookupDraft['mode']) => {
    if (!fields || mode === draft.mode) return
    setKept(false)
    if (mode === 'json') {
      const { input } = inputOf(fields, draft.texts)
      onDraft({ ...draft, mode, json: Object.keys(input).length > 0 ? asText(input) : draft.json })
      return
    }
    const read = readInput(draft.json)
    const texts = 'input' in read ? textsOf(fields, read.input) : undefined
    if (texts) onDraft({ ...draft, mode, texts })
    else setKept(true)
  }
  return (
    <div className={styles.form} role="group" aria-label={t`What is asked`}>
      {fields && (
        <RadioGroup label={t`How it is written`} name="lookup-mode" options={[{ id: 'fields', name: t`In fields` }, { id: 'json', name: t`As JSON` }]} chosen={draft.mode} onChoose={turn} />
      )}
      {kept && <p role="alert" className={styles.quiet}><Trans>The JSON holds what the fields cannot show, so it stays as it is.</Trans></p>}
      {fields && draft.mode === 'fields'
        ? fields.map((field) => <OneField key={field.name} field={field} text={draft.texts[field.name] ?? ''} fault={faults.fields?.[field.name]} onText={(text) => onDraft({ ...draft, texts: { ...draft.texts, [field.name]: text } })} />)
        : (
          <>
            <JsonEditor label={t`Request as JSON`} hint={hintOf(target, fields !== undefined)} value={draft.json} onChange={(json) => { setKept(false); onDraft({ ...draft, json }) }} fault={faults.json} />
            <div className={styles.actions}>
              <Button onClick={() => onDraft({ ...draft, json: asText(exampleOf(target)) })}><Trans>Put the example here</Trans></Button>
              {!faults.json && <Button onClick={() => onDraft({ ...draft, json: tidied(draft.json) })}><Trans>Tidy up</Trans></Button>}
            </div>
          </>
        )}
    </div>
  )
}

function OneField({ field: { name, label, hint, form }, text, fault, onText }: { field: LookupField; text: string; fault: string | undefined; onText: (text: string) => void }) {
  const says = <>{hint} <code>{name}</code></>
  if (form === 'list') return <TextAreaField label={label} hint={says} value={text} rows={3} maxLength={20_000} fault={fault} onChange={(event) => onText(event.target.value)} />
  return <Field label={label} hint={says} value={text} maxLength={form === 'integer' ? 9 : 2000} inputMode={form === 'integer' ? 'numeric' : 'text'} fault={fault} onChange={(event) => onText(event.target.value)} />
}

function hintOf({ method }: DataEndpoint, known: boolean): string {
  if (known) return t`The fields that are known are q_keywords, person_locations and per_page.`
  return method === 'GET'
    ? t`An example to begin with: what this lookup takes is not described by the service. It becomes the query of the address.`
    : t`An example to begin with: what this lookup takes is not described by the service.`
}

function tidied(json: string): string {
  const read = readInput(json)
  return 'input' in read ? asText(read.input) : json
}
