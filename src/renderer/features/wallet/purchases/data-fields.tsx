import { Field } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import type { FieldsProps } from './media-fields.tsx'
import styles from './purchases.module.css'

/** One of the data endpoints, with what it is asked. */
export function DataFields({ draft, faults, set }: FieldsProps) {
  return (
    <div className={styles.fields}>
      <div className={styles.target}>
        <SelectField label="Method" value={draft.method} onChange={(event) => set({ method: event.target.value === 'GET' ? 'GET' : 'POST' })}>
          <option>POST</option>
          <option>GET</option>
        </SelectField>
        <Field label="Path below /v1/data" value={draft.path} onChange={(event) => set({ path: event.target.value })} maxLength={300} fault={faults.path} hint="As the service’s list of data endpoints has it, such as /api/websearch/search." />
      </div>
      <TextAreaField label={draft.method === 'GET' ? 'What to ask, as JSON; it becomes the query' : 'What to ask, as JSON'} value={draft.input} onChange={(event) => set({ input: event.target.value })} rows={6} maxLength={1_000_000} fault={faults.input} />
    </div>
  )
}
