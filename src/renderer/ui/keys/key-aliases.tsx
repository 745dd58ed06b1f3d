import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { parseAlias } from '../../../shared/alias-text.ts'
import type { Model } from '../../../shared/model.ts'
import { TextAreaField } from '../text-area-field.tsx'
import { linesOf, type LimitsDraft } from './key-draft.ts'
import styles from './model-patterns.module.css'

const NAMED = 4

/** Names that a tool sends, with the model of each. A model that isn't listed now is named, because it can be listed later. */
export function KeyAliases({
  draft,
  models,
  fault,
  onChange,
}: {
  draft: Pick<LimitsDraft, 'aliases'>
  /** Undefined if they aren't known. */
  models: readonly Model[] | undefined
  fault: string | undefined
  onChange: (aliases: string) => void
}) {
  const targets = new Set(linesOf(draft.aliases).flatMap((line) => parseAlias(line)?.model ?? []))
  const unlisted = models ? [...targets].filter((target) => !models.some(({ id }) => id === target)) : []
  const names = (
    <>
      {unlisted.slice(0, NAMED).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <code>{id}</code>
        </span>
      ))}
    </>
  )
  return (
    <div className={styles.patterns}>
      <TextAreaField
        label={t`Aliases, one per line`}
        value={draft.aliases}
        onChange={(event) => onChange(event.target.value)}
        rows={3}
        maxLength={25_000}
        placeholder="claude-*=private/model"
        dir="ltr"
        fault={fault}
        hint={t`Model names that the tool sends, and the model to use. The first match counts.`}
      />
      {unlisted.length > 0 && (
        <p className={styles.meant} role="status">
          <Trans>Not among the listed chat models: {names}.</Trans>
        </p>
      )}
    </div>
  )
}
