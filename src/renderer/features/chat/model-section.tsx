import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { memo } from 'react'
import { Star } from 'lucide-react'
import type { Model } from '../../../shared/model.ts'
import { formatPrice } from '../../ui/format/money.ts'
import { formatTokens } from '../../ui/format/number.ts'
import { Hidden } from '../../ui/hidden.tsx'
import { useLanguage } from '../../ui/language/language.ts'
import { chatPrivacy, useCurrentChat, type CurrentChat } from '../../ui/current-chat.ts'
import { PrivacyGlyph, privacyWord } from '../../ui/privacy-mark.tsx'
import { useStatus } from '../../ui/status-store.ts'
import { refusalOf } from './choose-model.ts'
import { listedPrices } from './estimate.ts'
import styles from './model-panel.module.css'
import type { ModelSection } from './pick-models.ts'

/** Callbacks for a row. They keep their identity between renders, so that unchanged rows aren't rendered again. */
export interface RowActs {
  readonly choose: (id: string) => void
  readonly like: (id: string) => void
  readonly point: (id: string) => void
}

const sectionWords: Readonly<Record<Exclude<ModelSection['id'], 'readable'>, string>> = {
  get favourites() {
    return t`Favorites`
  },
  get recent() {
    return t`Recent`
  },
  get private() {
    return t`Private: sealed to a verified enclave`
  },
}

function readableWords({ privacy, mayForward }: CurrentChat): string {
  if (privacy === 'forwarded') return privacyWord.forwarded
  return mayForward
    ? t`Provider only, or visible if the service’s enclave can’t be verified`
    : t`Provider only: the model’s provider can read it, not the service`
}

interface SectionProps {
  section: ModelSection
  list: string
  active: string | undefined
  /** The model in use. */
  used: string | undefined
  /** Models chosen for a comparison; undefined unless the person is choosing. */
  chosen: readonly string[] | undefined
  favourites: readonly string[]
  /** Why none of these models is available here. */
  refusal: string | undefined
  /** This conversation is private: each reply of these models needs consent. */
  asks: boolean
  act: RowActs
}

/** The models of one kind, under a heading that states who can read the messages. */
export function Section({
  section: { id, models },
  list,
  active,
  used,
  chosen,
  favourites,
  refusal,
  asks,
  act,
}: SectionProps) {
  const service = useStatus((state) => state.status?.service)
  const currentChat = useCurrentChat()
  const privacy =
    id === 'private' || id === 'readable' ? chatPrivacy(id === 'private', currentChat) : undefined
  const heading = id === 'readable' ? readableWords(currentChat) : sectionWords[id]
  return (
    <div role="group" aria-label={privacy ? privacyWord[privacy] : heading}>
      <div className={styles.heading} data-privacy={privacy}>
        {privacy && <PrivacyGlyph privacy={privacy} />}
        <span>{heading}</span>
      </div>
      {privacy && refusal !== undefined && <p className={styles.refusal}>{refusal}</p>}
      {asks && (
        <p className={styles.refusal}>
          <Trans>
            This chat is private. Before each reply from these models, you see what they’d read and decide.
          </Trans>
        </p>
      )}
      {models.map((model) => (
        <Row
          key={model.id}
          model={model}
          id={`${list}-${model.id}`}
          active={model.id === active}
          used={model.id === used}
          chosen={chosen?.includes(model.id)}
          liked={favourites.includes(model.id)}
          glyph={privacy === undefined ? chatPrivacy(model.private, currentChat) : undefined}
          disabled={refusalOf(model.id, service) !== undefined}
          act={act}
        />
      ))}
    </div>
  )
}

interface RowProps {
  model: Model
  id: string
  active: boolean
  used: boolean
  /** Undefined if no models are being compared. */
  chosen: boolean | undefined
  liked: boolean
  /** Undefined if the heading states who can read the messages. */
  glyph: 'sealed' | CurrentChat['privacy'] | undefined
  disabled: boolean
  act: RowActs
}

const Row = memo(function Row({ model, id, active, used, chosen, liked, glyph, disabled, act }: RowProps) {
  useLanguage()
  return (
    <div
      id={id}
      role="option"
      aria-selected={chosen ?? active}
      aria-disabled={disabled}
      className={styles.model}
      data-active={active}
      ref={active ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
      onPointerMove={!disabled && !active ? () => act.point(model.id) : undefined}
      onClick={disabled ? undefined : () => act.choose(model.id)}
    >
      {chosen !== undefined && (
        <span className={styles.tick} aria-hidden>
          {chosen ? '☑' : '☐'}
        </span>
      )}
      {glyph && chosen === undefined && (
        <span className={styles.tick}>
          <PrivacyGlyph privacy={glyph} />
          <Hidden>{privacyWord[glyph]}</Hidden>
        </span>
      )}
      <span className={styles.modelName}>
        {model.name}
        {used && (
          <span className={styles.used}>
            {' '}
            <Trans>in use</Trans>
          </span>
        )}
        {liked && <Hidden> {t`favorite`}</Hidden>}
      </span>
      <code className={styles.id}>{model.id}</code>
      <span className={styles.price}>{priceWords(model)}</span>
      {/* On the keyboard, a key of the search field does this: an option can't contain another focusable element. */}
      <span
        className={styles.star}
        data-liked={liked}
        title={liked ? t`Remove from favorites` : t`Add to favorites`}
        onClick={(event) => {
          event.stopPropagation()
          act.like(model.id)
        }}
        aria-hidden
      >
        <Star size={15} strokeWidth={1.75} fill={liked ? 'currentColor' : 'none'} />
      </span>
    </div>
  )
})

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
