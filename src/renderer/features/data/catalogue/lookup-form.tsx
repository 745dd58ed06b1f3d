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

/** The request of a lookup: as fields if they are known, and always as JSON. */
export function LookupForm({ target, draft, faults, onDraft }: LookupFormProps) {
  const fields = fieldsOf(target)
  const [isSaved, setSaved] = useState(false)
  const turn = (mode: LookupDraft['mode']) => {
    if (!fields || mode === draft.mode) return
    setSaved(false)
    if (mode === 'json') {
      const { input } = inputOf(fields, draft.texts)
      onDraft({ ...draft, mode, json: Object.keys(input).length > 0 ? asText(input) : draft.json })
      return
    }
    const read = readInput(draft.json)
    const texts = 'input' in read ? textsOf(fields, read.input) : undefined
    if (texts) onDraft({ ...draft, mode, texts })
    else setSaved(true)
  }
  return (
    <div className={styles.form} role="group" aria-label={t`Request`}>
      {fields && (
        <RadioGroup
          label={t`Input format`}
          name="lookup-mode"
          options={[
            { id: 'fields', name: t`Form` },
            { id: 'json', name: t`JSON` },
          ]}
          chosen={draft.mode}
          onChoose={turn}
        />
      )}
      {isSaved && (
        <p role="alert" className={styles.quiet}>
          <Trans>The form can’t show everything in this JSON, so it stays as JSON.</Trans>
        </p>
      )}
      {fields && draft.mode === 'fields' ? (
        fields.map((field) => (
          <OneField
            key={field.name}
            field={field}
            text={draft.texts[field.name] ?? ''}
            fault={faults.fields?.[field.name]}
            onText={(text) => onDraft({ ...draft, texts: { ...draft.texts, [field.name]: text } })}
          />
        ))
      ) : (
        <>
          <JsonEditor
            label={t`Request (JSON)`}
            hint={hintOf(target, fields !== undefined)}
            value={draft.json}
            onChange={(json) => {
              setSaved(false)
              onDraft({ ...draft, json })
            }}
            fault={faults.json}
          />
          <div className={styles.actions}>
            <Button onClick={() => onDraft({ ...draft, json: asText(exampleOf(target)) })}>
              <Trans>Insert example</Trans>
            </Button>
            {!faults.json && (
              <Button onClick={() => onDraft({ ...draft, json: tidied(draft.json) })}>
                <Trans>Format JSON</Trans>
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  )
}

function OneField({
  field: { name, label, hint, form },
  text,
  fault,
  onText,
}: {
  field: LookupField
  text: string
  fault: string | undefined
  onText: (text: string) => void
}) {
  const fullHint = (
    <>
      {hint} <code>{name}</code>
    </>
  )
  if (form === 'list')
    return (
      <TextAreaField
        label={label}
        hint={fullHint}
        value={text}
        rows={3}
        maxLength={20_000}
        fault={fault}
        onChange={(event) => onText(event.target.value)}
      />
    )
  return (
    <Field
      label={label}
      hint={fullHint}
      value={text}
      maxLength={form === 'integer' ? 9 : 2000}
      inputMode={form === 'integer' ? 'numeric' : 'text'}
      fault={fault}
      onChange={(event) => onText(event.target.value)}
    />
  )
}

function hintOf({ method }: DataEndpoint, known: boolean): string {
  if (known) return t`Known fields: q_keywords, person_locations, and per_page.`
  return method === 'GET'
    ? t`This is an example. The service doesn’t describe this lookup’s fields. They’re sent in the URL query.`
    : t`This is an example. The service doesn’t describe this lookup’s fields.`
}

function tidied(json: string): string {
  const read = readInput(json)
  return 'input' in read ? asText(read.input) : json
}
