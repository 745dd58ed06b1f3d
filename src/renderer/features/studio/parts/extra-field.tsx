import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { JobAsk } from '../../../../shared/job-ask.ts'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import styles from './extra-field.module.css'

export type Extra = NonNullable<Extract<JobAsk, { kind: 'video' }>['extra']>

/**
 * Parses the typed text as members of the request. Undefined if the text is empty; null if it isn't a JSON
 * object.
 */
export function readExtra(text: string): Extra | undefined | null {
  if (text.trim() === '') return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    return isExtra(parsed) ? parsed : null
  } catch {
    return null
  }
}

/** A value from JSON.parse contains only JSON. */
function isExtra(value: unknown): value is Extra {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const EXAMPLE = JSON.stringify({ seed: 7 })

/** Parameters that have no field here, as JSON. Expanded if it contains text. */
export function ExtraField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const wrong = readExtra(text) === null
  return (
    <details className={styles.extra} open={text !== '' || undefined}>
      <summary>
        <Trans>Additional parameters</Trans>
      </summary>
      <TextAreaField
        label={t`Additional parameters (JSON)`}
        dir="ltr"
        rows={4}
        value={text}
        placeholder={EXAMPLE}
        hint={t`Sent unchanged along with the fields above. If a parameter has a field above, set it there.`}
        fault={wrong ? t`Invalid JSON object. Use braces, and put names in quotes.` : undefined}
        onChange={({ target }) => onChange(target.value)}
      />
    </details>
  )
}
