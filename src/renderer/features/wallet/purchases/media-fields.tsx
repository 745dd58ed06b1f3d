import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Model } from '../../../../shared/model.ts'
import { Field } from '../../../ui/field.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { ModelField } from './model-field.tsx'
import type { DraftFaults, PurchaseDraft } from './purchase-draft.ts'
import styles from './purchases.module.css'

export interface FieldsProps {
  draft: PurchaseDraft
  faults: DraftFaults
  set: (change: Partial<PurchaseDraft>) => void
}

export function MediaFields({ draft, faults, set, models, mostImages }: FieldsProps & { models: readonly Model[] | undefined; mostImages: number }) {
  const { endpoint } = draft
  const edits = endpoint === 'images/edits'
  return (
    <div className={styles.fields}>
      <ModelField models={models} model={draft.model} fault={faults.model} onChange={(model) => set({ model })} />
      {edits && <Field label={t`Picture`} type="file" className={styles.file} accept="image/png,image/jpeg,image/webp" onChange={(event) => set({ image: event.target.files?.[0] })} fault={faults.image} hint={t`PNG, JPEG or WebP, up to 25 MB.`} />}
      <TextAreaField label={edits ? t`What to change` : t`Prompt`} className={styles.prose} value={draft.prompt} onChange={(event) => set({ prompt: event.target.value })} rows={3} maxLength={32_000} fault={faults.prompt} spellCheck />
      {!edits && <More draft={draft} faults={faults} set={set} mostImages={mostImages} />}
    </div>
  )
}

/** What some models take, and others do not; the price depends on it. */
function More({ draft, faults, set, mostImages }: FieldsProps & { mostImages: number }) {
  const video = draft.endpoint === 'videos'
  const faulty = faults.count !== undefined || faults.imageUrl !== undefined
  return (
    <details className={styles.more} open={faulty || undefined}>
      <summary><Trans>Size, quality and more, where the model has them</Trans></summary>
      <div className={styles.pairs}>
        <Field label={video ? t`Form` : t`Size`} value={draft.size} onChange={(event) => set({ size: event.target.value })} maxLength={40} hint={t`Such as 1:1, 16:9 or 9:16.`} />
        <Field label={t`Quality`} value={draft.quality} onChange={(event) => set({ quality: event.target.value })} maxLength={40} hint={video ? t`Such as 720p or 1080p.` : t`Such as low, high or 2k.`} />
        {video
          ? <Field label={t`Seconds`} value={draft.duration} onChange={(event) => set({ duration: event.target.value })} maxLength={10} inputMode="numeric" hint={t`Such as 5 or 10; some models have one length.`} />
          : <Field label={t`How many`} value={draft.count} onChange={(event) => set({ count: event.target.value })} maxLength={4} inputMode="numeric" fault={faults.count} hint={t`1 to ${mostImages}; nothing is one.`} />}
        <Field label={t`Address of a picture to begin with`} value={draft.imageUrl} onChange={(event) => set({ imageUrl: event.target.value })} maxLength={2000} inputMode="url" fault={faults.imageUrl} hint={t`The service fetches it from there.`} />
      </div>
    </details>
  )
}
