import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { chatPrivacy, useCurrentChat, type CurrentChat } from '../../ui/current-chat.ts'
import { PrivacyGlyph, privacyWord } from '../../ui/privacy-mark.tsx'
import { useStatus } from '../../ui/status-store.ts'
import { refusalOf } from './choose-model.ts'
import styles from './model-panel.module.css'
import { ModelRow, ValueHeadings, type RowActs } from './model-row.tsx'
import type { ModelSection } from './pick-models.ts'

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
  /** Ids. */
  cheapest: readonly string[]
  /** Whether the headings of the columns are above it. */
  first: boolean
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
  cheapest,
  first,
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
        {first && <ValueHeadings />}
      </div>
      {privacy && refusal !== undefined && <p className={styles.refusal}>{refusal}</p>}
      {asks && (
        <p className={styles.refusal}>
          <Trans>
            This chat is private. Before each reply from these models, Sotto shows what they can read and asks
            you to allow it.
          </Trans>
        </p>
      )}
      {models.map((model) => (
        <ModelRow
          key={model.id}
          model={model}
          id={`${list}-${model.id}`}
          active={model.id === active}
          used={model.id === used}
          chosen={chosen?.includes(model.id)}
          liked={favourites.includes(model.id)}
          cheapest={cheapest.includes(model.id)}
          glyph={privacy === undefined ? chatPrivacy(model.private, currentChat) : undefined}
          disabled={refusalOf(model.id, service) !== undefined}
          act={act}
        />
      ))}
    </div>
  )
}
