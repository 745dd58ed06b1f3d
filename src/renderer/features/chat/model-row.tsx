import { t } from '@lingui/core/macro'
import { Check, Square, SquareCheck, Star } from 'lucide-react'
import { memo } from 'react'
import type { Model } from '../../../shared/model.ts'
import type { CurrentChat } from '../../ui/current-chat.ts'
import { formatPrice } from '../../ui/format/money.ts'
import { formatTokens } from '../../ui/format/number.ts'
import { Hidden } from '../../ui/hidden.tsx'
import { scrollIntoList } from '../../ui/into-view.ts'
import { useLanguage } from '../../ui/language/language.ts'
import { PrivacyGlyph, privacyWord } from '../../ui/privacy-mark.tsx'
import { listedPrices } from './estimate.ts'
import { MakerMark } from './maker-mark.tsx'
import { capabilitiesOf, type Capability } from './model-guide.ts'
import styles from './model-row.module.css'

/** Callbacks for a row. They keep their identity between renders, so that unchanged rows aren't rendered again. */
export interface RowActs {
  readonly choose: (id: string) => void
  readonly like: (id: string) => void
  readonly point: (id: string) => void
}

const capabilityWords: Readonly<Record<Capability, string>> = {
  get reasoning() {
    return t`Reasoning`
  },
  get tools() {
    return t`Tools`
  },
  get images() {
    return t`Images`
  },
}

interface RowProps {
  model: Model
  id: string
  active: boolean
  used: boolean
  /** Undefined if no models are being compared. */
  chosen: boolean | undefined
  liked: boolean
  cheapest: boolean
  /** Undefined if the heading states who can read the messages. */
  glyph: 'sealed' | CurrentChat['privacy'] | undefined
  disabled: boolean
  act: RowActs
}

/** A model with its capabilities, prices and context. */
export const ModelRow = memo(function ModelRow({
  model,
  id,
  active,
  used,
  chosen,
  liked,
  cheapest,
  glyph,
  disabled,
  act,
}: RowProps) {
  useLanguage()
  const Box = chosen ? SquareCheck : Square
  return (
    <div
      id={id}
      role="option"
      aria-selected={chosen ?? active}
      aria-disabled={disabled}
      className={styles.model}
      data-active={active}
      title={model.id}
      ref={active ? scrollIntoList : undefined}
      onPointerMove={!disabled && !active ? () => act.point(model.id) : undefined}
      onClick={disabled ? undefined : () => act.choose(model.id)}
    >
      {chosen !== undefined && (
        <span className={styles.lead} aria-hidden>
          <Box size={16} strokeWidth={1.75} />
        </span>
      )}
      {glyph && chosen === undefined && (
        <span className={styles.lead}>
          <PrivacyGlyph privacy={glyph} />
          <Hidden>{privacyWord[glyph]}</Hidden>
        </span>
      )}
      <MakerMark model={model} />
      <span className={styles.names}>
        <span className={styles.name} dir="auto">
          {model.name}
        </span>
        {cheapest && <span className={styles.badge}>{t`Lowest cost`}</span>}
        {used && <Hidden> {t`in use`}</Hidden>}
        {liked && <Hidden> {t`favorite`}</Hidden>}
      </span>
      <span className={styles.capabilities}>
        {capabilitiesOf(model).map((capability) => (
          <span key={capability} className={styles.capability}>
            {capabilityWords[capability]}
          </span>
        ))}
      </span>
      {/* In a wide picker only for screen readers, because its columns show the same values. */}
      <span className={styles.sentence}>{priceWords(model)}</span>
      <Values model={model} />
      <span className={styles.end} aria-hidden>
        {used && chosen === undefined && <Check className={styles.used} size={16} strokeWidth={1.75} />}
        {/* On the keyboard, a key of the search field does this: an option can't contain another focusable element. */}
        <span
          className={styles.star}
          data-liked={liked}
          title={liked ? t`Remove from favorites` : t`Add to favorites`}
          onClick={(event) => {
            event.stopPropagation()
            act.like(model.id)
          }}
        >
          <Star size={16} strokeWidth={1.75} fill={liked ? 'currentColor' : 'none'} />
        </span>
      </span>
    </div>
  )
})

/** The values below `ValueHeadings`. */
function Values({ model }: { model: Model }) {
  const prices = listedPrices(model)
  const { contextLength } = model
  return (
    <span className={styles.values} aria-hidden>
      <span>{prices ? formatPrice(prices.input) : '–'}</span>
      <span>{prices ? formatPrice(prices.output) : '–'}</span>
      <span>{contextLength === undefined ? '–' : formatTokens(contextLength)}</span>
    </span>
  )
}

/** The headings of the columns. Screen readers get a sentence in each row instead. */
export function ValueHeadings() {
  return (
    <span className={styles.values} data-headings aria-hidden>
      <span title={t`Input price ($ per million tokens)`}>{t`In / M`}</span>
      <span title={t`Output price ($ per million tokens)`}>{t`Out / M`}</span>
      <span>{t`Context`}</span>
    </span>
  )
}

function priceWords(model: Model): string {
  const prices = listedPrices(model)
  const context = model.contextLength === undefined ? undefined : formatTokens(model.contextLength)
  if (!prices)
    return context === undefined ? t`price not reported` : t`price not reported, ${context} context`
  const [input, output] = [formatPrice(prices.input), formatPrice(prices.output)]
  return context === undefined
    ? t`${input} in · ${output} out per million tokens`
    : t`${input} in · ${output} out per million tokens, ${context} context`
}
