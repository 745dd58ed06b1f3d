import { t } from '@lingui/core/macro'
import { Field } from '../field.tsx'
import type { NewPassphrase } from './use-new-passphrase.ts'

/**
 * The two fields for a new passphrase. The core refuses one that is too long. A field that cut it off would save a
 * passphrase that opens nothing elsewhere.
 */
export function NewPassphraseFields({
  chosen,
  label,
  hint,
}: {
  chosen: NewPassphrase
  label: string
  hint: string
}) {
  return (
    <>
      <Field
        label={label}
        type="password"
        autoComplete="new-password"
        value={chosen.passphrase}
        onChange={(event) => chosen.type(event.target.value)}
        hint={hint}
        fault={chosen.fault === 'short' ? shorterThan(chosen.least) : undefined}
      />
      <Field
        label={t`Confirm passphrase`}
        type="password"
        autoComplete="new-password"
        value={chosen.again}
        onChange={(event) => chosen.repeat(event.target.value)}
        fault={chosen.fault === 'differs' ? t`The passphrases don’t match.` : undefined}
      />
    </>
  )
}

function shorterThan(least: 8 | 12): string {
  return least === 8 ? t`Use at least eight characters.` : t`Use at least twelve characters.`
}
