import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Model } from '../../../shared/model.ts'
import { allowsModel, matchesModel } from '../../../shared/model-pattern.ts'
import { formatList } from '../format/list.ts'
import { formatCount } from '../format/number.ts'
import { TextAreaField } from '../text-area-field.tsx'
import { linesOf, type LimitsDraft } from './key-draft.ts'
import { modelsMeant } from './key-words.ts'
import styles from './model-patterns.module.css'

/** Patterns of model names, and which of the service's models they mean now. */
export function ModelPatterns({
  draft,
  models,
  fault,
  onChange,
}: {
  draft: Pick<LimitsDraft, 'patterns' | 'atLeast'>
  /** Undefined if they aren't known. */
  models: readonly Model[] | undefined
  fault: string | undefined
  onChange: (patterns: string) => void
}) {
  return (
    <div className={styles.patterns}>
      <TextAreaField
        label={t`Models, one pattern per line`}
        value={draft.patterns}
        onChange={(event) => onChange(event.target.value)}
        rows={3}
        maxLength={20_000}
        placeholder="private/*"
        dir="ltr"
        fault={fault}
        hint={t`* matches any text. Leave empty for all models.`}
      />
      {models && <Meant draft={draft} models={models} />}
    </div>
  )
}

const NAMED = 4

function Meant({
  draft,
  models,
}: {
  draft: Pick<LimitsDraft, 'patterns' | 'atLeast'>
  models: readonly Model[]
}) {
  const patterns = linesOf(draft.patterns)
  const meant = models.filter(({ id }) =>
    allowsModel(
      {
        ...(draft.atLeast !== 'anyone' && { atLeast: draft.atLeast }),
        ...(patterns.length > 0 && { models: patterns }),
      },
      id,
    ),
  )
  const empty = patterns.filter((pattern) => !models.some(({ id }) => matchesModel(pattern, id)))
  const unmet = (
    <>
      {empty.slice(0, NAMED).map((pattern, index) => (
        <span key={pattern}>
          {index > 0 && ', '}
          <code>{pattern}</code>
        </span>
      ))}
    </>
  )
  return (
    <div className={styles.meant}>
      <p role="status">
        <strong>{modelsMeant(meant.length, models.length)}</strong>
        {meant.length > 0 && <>: {namesOf(meant)}</>}
      </p>
      {empty.length > 0 && (
        <p>
          <Trans>No model matches {unmet}.</Trans>
        </p>
      )}
    </div>
  )
}

function namesOf(models: readonly Model[]): string {
  const names = formatList(models.slice(0, NAMED).map(({ id }) => id))
  return models.length > NAMED ? t`${names} and ${formatCount(models.length - NAMED)} more` : names
}
