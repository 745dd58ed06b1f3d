import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Model } from '../../../../shared/model.ts'
import { useModels } from '../../../data/listings.ts'
import { ServiceScope } from '../../../data/service-scope.tsx'
import { DropZone } from '../../../ui/drop-zone.tsx'
import { Field } from '../../../ui/field.tsx'
import { formatPrice } from '../../../ui/format/money.ts'
import { ModelField } from '../../../ui/model-field.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import type { DraftFaults, PurchaseDraft } from './purchase-draft.ts'
import styles from './purchases.module.css'

export interface FieldsProps {
  draft: PurchaseDraft
  faults: DraftFaults
  set: (change: Partial<PurchaseDraft>) => void
}

export function MediaFields({
  draft,
  faults,
  set,
  type,
  mostImages,
}: FieldsProps & { type: string | undefined; mostImages: number }) {
  const { endpoint } = draft
  const edits = endpoint === 'images/edits'
  return (
    <div className={styles.fields}>
      <ServiceScope>
        <ListedModelField
          type={type}
          model={draft.model}
          fault={faults.model}
          onChange={(model) => set({ model })}
        />
      </ServiceScope>
      {edits && (
        <DropZone
          label={t`Image`}
          accept="image/png,image/jpeg,image/webp"
          onFiles={([image]) => set({ image })}
          names={draft.image ? [draft.image.name] : []}
          fault={faults.image}
          hint={t`PNG, JPEG, or WebP, up to 25 MB.`}
        />
      )}
      <TextAreaField
        label={edits ? t`Describe the change` : t`Prompt`}
        className={styles.prose}
        value={draft.prompt}
        onChange={(event) => set({ prompt: event.target.value })}
        rows={3}
        maxLength={32_000}
        fault={faults.prompt}
        spellCheck
      />
      {!edits && <More draft={draft} faults={faults} set={set} mostImages={mostImages} />}
    </div>
  )
}

/** The models of one type. Private models can't be paid per request. */
function ListedModelField({
  type,
  ...field
}: {
  type: string | undefined
  model: string
  fault: string | undefined
  onChange: (model: string) => void
}) {
  const { data, failure } = useModels()
  const models = data ?? (failure && [])
  return (
    <ModelField
      models={models?.filter((model) => model.type === type && !model.private)}
      nameOf={withPrice}
      unlisted={{ label: t`Model`, hint: t`The model ID as the service lists it.` }}
      {...field}
    />
  )
}

/** With the list price, if it doesn't depend on the request. The quoted price covers the other cases. */
function withPrice({ id, name, mediaPrice }: Model): string {
  return `${name === id ? id : `${name} (${id})`}${priceWords(mediaPrice)}`
}

function priceWords(mediaPrice: Model['mediaPrice']): string {
  if (!mediaPrice) return ''
  const { base, perSecond, tables } = mediaPrice
  if (perSecond !== undefined) return t`, list price ${formatPrice(perSecond)} per second`
  if (base === undefined) return ''
  return tables.length > 0
    ? t`, list price ${formatPrice(base)} by default`
    : t`, list price ${formatPrice(base)}`
}

/** Options that only some models accept; the price depends on them. */
function More({ draft, faults, set, mostImages }: FieldsProps & { mostImages: number }) {
  const video = draft.endpoint === 'videos'
  const faulty = faults.count !== undefined || faults.imageUrl !== undefined
  return (
    <details className={styles.more} open={faulty || undefined}>
      <summary>
        <Trans>Size, quality, and more (if supported)</Trans>
      </summary>
      <div className={styles.pairs}>
        <Field
          label={video ? t`Format` : t`Size`}
          value={draft.size}
          onChange={(event) => set({ size: event.target.value })}
          maxLength={40}
          hint={t`For example, 1:1, 16:9, or 9:16.`}
        />
        <Field
          label={t`Quality`}
          value={draft.quality}
          onChange={(event) => set({ quality: event.target.value })}
          maxLength={40}
          hint={video ? t`For example, 720p or 1080p.` : t`For example, low, high, or 2k.`}
        />
        {video ? (
          <Field
            label={t`Duration (seconds)`}
            value={draft.duration}
            onChange={(event) => set({ duration: event.target.value })}
            maxLength={10}
            inputMode="numeric"
            hint={t`For example, 5 or 10. Some models have a fixed length.`}
          />
        ) : (
          <Field
            label={t`Quantity`}
            value={draft.count}
            onChange={(event) => set({ count: event.target.value })}
            maxLength={4}
            inputMode="numeric"
            fault={faults.count}
            hint={t`1 to ${mostImages}. Default: 1.`}
          />
        )}
        <Field
          label={t`Starting image URL`}
          value={draft.imageUrl}
          onChange={(event) => set({ imageUrl: event.target.value })}
          maxLength={2000}
          inputMode="url"
          fault={faults.imageUrl}
          hint={t`The service downloads the image from this URL.`}
        />
      </div>
    </details>
  )
}
